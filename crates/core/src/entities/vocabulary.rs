//! What is a word known for? One table of words, looked up once a word.

use std::collections::{HashMap, HashSet};
use std::ops::BitOr;
use std::sync::LazyLock;

use super::given_names::{GIVEN_NAMES, GIVEN_NAMES_THAT_ARE_WORDS};

/// Longest word looked up, in bytes: the longest in the table has fewer.
const WORD_BYTES_MAX: usize = 40;

/// What a word is known for: a set of bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Traits(u64);

impl Traits {
    pub(super) const NONE: Traits = Traits(0);
    /// A given name that is hardly anything else.
    pub(super) const GIVEN: Traits = Traits(1);
    /// A given name that is as often a word, a place or a tool.
    pub(super) const GIVEN_UNSURE: Traits = Traits(1 << 1);
    /// No name: capitalised only where a sentence begins.
    pub(super) const PLAIN: Traits = Traits(1 << 2);
    /// Stands before a person's name.
    pub(super) const TITLE: Traits = Traits(1 << 3);
    /// Says what somebody is to somebody.
    pub(super) const KIN: Traits = Traits(1 << 4);
    /// What persons do to each other; a name stands beside it.
    pub(super) const PERSON_VERB: Traits = Traits(1 << 5);
    /// Part of the name of a firm, a place or a work.
    pub(super) const NOT_PERSON: Traits = Traits(1 << 6);
    /// Small words inside names.
    pub(super) const PARTICLE: Traits = Traits(1 << 7);
    /// Ends a street's name, and little else.
    pub(super) const STREET_END: Traits = Traits(1 << 8);
    /// Ends a street's name, and means other things as well.
    pub(super) const STREET_END_UNSURE: Traits = Traits(1 << 9);
    /// Begins a street's name.
    pub(super) const STREET_BEGIN: Traits = Traits(1 << 10);
    /// A part of a building.
    pub(super) const UNIT: Traits = Traits(1 << 11);
    /// Says that an address follows.
    pub(super) const CUE_ADDRESS: Traits = Traits(1 << 12);
    /// Says that a place follows, perhaps an address.
    pub(super) const CUE_PLACE: Traits = Traits(1 << 13);
    pub(super) const COUNTRY: Traits = Traits(1 << 14);
    pub(super) const CUE_POSTAL: Traits = Traits(1 << 15);
    pub(super) const CUE_PHONE: Traits = Traits(1 << 16);
    pub(super) const CUE_CARD: Traits = Traits(1 << 17);
    /// Numbers of these are long and nobody's.
    pub(super) const CUE_ORDER: Traits = Traits(1 << 18);
    pub(super) const CUE_SECRET: Traits = Traits(1 << 19);
    pub(super) const MONTH: Traits = Traits(1 << 20);
    /// A month that is also a word.
    pub(super) const MONTH_UNSURE: Traits = Traits(1 << 21);
    pub(super) const WEEKDAY: Traits = Traits(1 << 22);
    pub(super) const DAY: Traits = Traits(1 << 23);
    pub(super) const TIME_UNIT: Traits = Traits(1 << 24);
    pub(super) const WHICH_TIME: Traits = Traits(1 << 25);
    pub(super) const CURRENCY: Traits = Traits(1 << 26);
    pub(super) const MEASURE: Traits = Traits(1 << 27);
    /// Software and systems that are spoken of with a version.
    pub(super) const VERSIONED: Traits = Traits(1 << 28);
    pub(super) const CUE_REPOSITORY: Traits = Traits(1 << 29);
    /// Followed by a number that is no house's.
    pub(super) const NUMBERED: Traits = Traits(1 << 30);
    pub(super) const CUE_BIRTH: Traits = Traits(1 << 31);
    /// A state or province by its letters.
    pub(super) const STATE: Traits = Traits(1 << 32);
    /// Means a single person.
    pub(super) const PRONOUN: Traits = Traits(1 << 33);
    /// What one person has and others ask for.
    pub(super) const BELONGING: Traits = Traits(1 << 34);
    /// What a person is put down as.
    pub(super) const ROLE: Traits = Traits(1 << 35);
    /// Announces a document that a state gives.
    pub(super) const CUE_ID: Traits = Traits(1 << 36);

    pub(super) const fn any(self, other: Traits) -> bool {
        self.0 & other.0 != 0
    }
}

impl BitOr for Traits {
    type Output = Traits;
    fn bitor(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }
}

/// What a word is known for, whatever its case.
pub(super) fn traits_of(word: &str) -> Traits {
    if word.len() > WORD_BYTES_MAX {
        return Traits::NONE;
    }
    let find = |word: &str| TABLE.get(word).copied().unwrap_or_default();
    if !word.is_ascii() {
        return find(&word.to_lowercase());
    }
    let mut lower = [0u8; WORD_BYTES_MAX];
    for (to, from) in lower.iter_mut().zip(word.bytes()) {
        *to = from.to_ascii_lowercase();
    }
    let lower = lower.get(..word.len()).unwrap_or_default();
    std::str::from_utf8(lower).map_or(Traits::NONE, find)
}

/// Words to look up, made from a text on first use.
pub(super) type List = LazyLock<HashSet<&'static str>>;

/// The list of the words of a text.
pub(super) fn list_of(words: &'static str) -> HashSet<&'static str> {
    words.split_whitespace().collect()
}

static TABLE: LazyLock<HashMap<&'static str, Traits>> = LazyLock::new(|| {
    let names = [(Traits::GIVEN, GIVEN_NAMES), (Traits::GIVEN_UNSURE, GIVEN_NAMES_THAT_ARE_WORDS)];
    let mut table: HashMap<&'static str, Traits> = HashMap::new();
    for (traits, words) in WORDS.iter().chain(&names) {
        for word in words.split_whitespace() {
            let known = table.entry(word).or_default();
            *known = *known | *traits;
        }
    }
    table
});

/// The words, by what they are known for; a word may stand in several rows.
const WORDS: &[(Traits, &str)] = &[
    (
        Traits::PLAIN,
        "a about above account accounts action active add added address after again against age ago all almost
         already also although always am amount an and another answer any anybody anyone anything app apply are
         around as ask asked at available away back bad balance bank be because become been before begin being
         below best better between big bill billing block book both bot bring but buy by bye call called came can
         cancel cancelled cannot card cards change changed charge charged check class click close code color come
         comes coming complete computer configure confirm contact could country create credit customer data date day days
         dear debit deploy did different do does doesn doing don done down due during each early edit either else email
         empty end english enough error even ever every everyone everything example excuse explain extra fast favorite
         few file fill final find fine first fix following food for form found free friend from full fun game gave
         general get getting girl give given go goes going gonna good got great group guess had half happen happy hard
         has have having he hello help hence her here hey hi high him his hold home hope hotel hour hours house how
         however i id if im in incorrect incorrectly info information inject inside instead interested into is isn issue it
         its itself join just keep kind know known last late later latest leave left less let like likely limit line link
         list listed little live local located long look looking lost lot love low machine made mail make making man many
         maybe me mean meet meeting meow message messages method might mine minute misspelled mistake model moment money
         more morning most move movie moved much music must my myself name named near necessary need needed needs never new
         news next nice night no nobody none nope not note nothing now number of off office often oh ok okay old on once
         one online only open option options or order other otherwise our ours out over own page paid paper part
         past patient pay payment people per perhaps person personal pick place plan plans play please point possible post
         present press probably problem process product project provide put question questions quick quite read ready real
         really reason receive received red refund regarding regards remember remind remove reply report request required
         reset rest restaurant results return review right road room run said sale same save saw say says school search
         second section see seems send sent serious service set several shall shared she shop should show side sign simple
         simply since sincerely single sir site so social some somebody someone something sometimes song songs soon sorry
         spelled spelling standard start state statement status stay step still stop store story street strong stuff such
         summary support sure system table take taken talk task tax team tell test text than thank thanks that the their
         them then there therefore these they thing things think this those though thought three through thru thus time
         times title to today together tomorrow tonight too tool top total town track transaction transfer travel
         travelling trip true try trying turn two type under unfortunately unless until up update upon us use used user
         users using usually valid various ve verify very via video view wait wanna want wanted was wasn watch way we
         weather website week well went were what whatever when whenever where whether which while white who whole whom
         whose why wife will with within without wo won word words work working world would write wrong yeah year years yes
         yesterday yet you young your yours yourself zip spanish french german italian chinese japanese russian american
         british european african asian indian canadian mexican dutch greek polish swedish danish norwegian finnish
         christmas easter thanksgiving ramadan hanukkah halloween santa god king queen president prince princess
         wisdom discipline remarks subject re fwd cc bcc regarding attn monday tuesday wednesday thursday friday saturday
         sunday january february march april may june july august september october november december directed
         written starring summary inc male female old also gender killers killed bridge concert album band dinner lunch
         calculate compute convert schedule generate determine analyze fetch retrieve compare predict estimate identify
         locate purchase rent reserve display translate design build implement refactor debug develop optimize assign
         merge push pull rebase commit deploy release install upgrade restart rollback monitor investigate document",
    ),
    (
        Traits::TITLE,
        "mr mrs ms mx miss dr prof professor sir madam madame monsieur mme mlle herr frau señor señora sr sra
         signor signora sig dott dottor pan pani fru hr mevrouw meneer господин госпожа captain lieutenant sergeant
         senator judge rev reverend",
    ),
    (
        Traits::KIN,
        "son daughter kid child baby wife husband spouse partner brother sister mother father mom mum dad
         mommy daddy parent grandfather grandmother grandpa grandma uncle aunt cousin nephew niece boyfriend girlfriend
         fiancé fiancée fiance fiancee friend boss colleague coworker neighbor neighbour roommate landlord tenant
         employee patient client candidate beneficiary guardian",
    ),
    (
        Traits::PERSON_VERB,
        "said says say told asked wrote replied thinks believes lives works contact meet met ask tell call phone email
         with married heard know knows hired interviewed thank invite hi hello dear hey welcome speaker born died
         announced explained added resigned graduated joined signed played sang directed directs wife husband killed
         remember knew loves loved called invited attn named",
    ),
    (
        Traits::NOT_PERSON,
        "inc llc ltd corp corporation company co gmbh ag plc sa srl bv oy ab group holdings orchestra university college
         institute school academy bank airlines airways hotel museum park river lake mountain mount bay beach island
         islands city town village county club church cathedral hospital station airport bridge stadium theatre theater
         act award awards league cup games conference association foundation society ministry department committee
         council agency press times news weekly magazine journal records studios pictures entertainment solutions
         technologies technology systems software labs networks partners consulting services supercomputing analytics
         capital impulse rights pleasures musicians states kingdom republic north south east west northern southern
         eastern western new saint san santa los las el general cloud studio code hub platform api sdk server database
         machine learning language model theory theorem equation function method algorithm series show album song book
         movie film game gate tower square street avenue road lane drive house hall center centre market restaurant cafe
         bar grill pizza kitchen united national international federal royal open source project team high
         middle test type version error exception null undefined",
    ),
    (Traits::PARTICLE, "de da do dos das del della di du la le van von der den ten ter al bin ibn el y e af av zu"),
    (
        Traits::STREET_END,
        "street avenue ave road rd lane ln boulevard blvd highway hwy parkway pkwy expressway freeway turnpike utca
         straat strasse straße gasse gade gata gatan katu vej vägen veien vegen ulica ulice ulitsa улица köz körút
         sokak caddesi cad sokağı mahallesi",
    ),
    (
        Traits::STREET_END_UNSURE,
        "st str drive dr way place pl court ct close square sq circle cir terrace ter trail loop row walk hill hills gardens
         grove crescent cres mews point pointe green greens plaza park alley crossing junction union ridge run path
         heights landing manor meadow meadows village valley view vista estate estates branch bridge brook creek
         cove bend shore shores springs station summit track pass plain plains key knoll knolls forge ford fork forks
         fort garden gateway glen harbor haven isle island islands lodge mall mill mills mission motorway mountain neck
         orchard oval overpass passage pike pine pines port prairie radial ramp ranch rapid rapids rest river route
         rue shoal shoals skyway spur squares stravenue stream throughway trace trafficway tunnel turn underpass viaduct
         ville wall walks ways well wells parade quay rise chase croft u út tér tere sor dűlő plein laan weg platz
         allee allé ring damm ufer kade dijk torg tie kuja tn tee pst mnt cesta trg náměstí nám třída tř gatvė iela",
    ),
    (
        Traits::STREET_BEGIN,
        "rue avenue boulevard bd chemin impasse allée allee quai cours ruelle place sentier via viale piazza piazzale corso
         vicolo strada largo contrada calle avenida avda av plaza paseo carrer camino carretera ronda travesía rua r travessa
         praça estrada alameda rodovia rúa ul ulica aleja al aleje os plac pl osiedle улица ул проспект пр переулок пер
         бульвар площадь шоссе вулиця λεωφόρος οδός πλατεία jalan jl rruga str șoseaua sos bulevardul bulevar calea intrarea
         straße strasse wilhelm cesta náměstí trg ulice đường phố hẻm ngõ quay c bulevardi rr shari",
    ),
    (
        Traits::UNIT,
        "apt apartment suite ste unit flat floor fl bldg building box lot door wohnung piso puerta appt apto bât bâtiment
         escalier esc interno scala lok mieszkanie byt psc bus apartamento departamento dpto depto room",
    ),
    (
        Traits::CUE_ADDRESS,
        "address addresses addr adresse dirección direccion indirizzo endereço adres adresa cím cím osoite адрес διεύθυνση
         residence reside resides domicile lives live living located moved relocated deliver delivered delivery ship
         shipped shipping",
    ),
    (
        Traits::CUE_PLACE,
        "corner side at on near to from in opposite behind return sent send taxi office offices meeting meet station
         restaurant headquarters hq stop lives drive",
    ),
    (
        Traits::COUNTRY,
        "argentina australia austria bangladesh belgium bolivia brazil brasil bulgaria cambodia canada chile china colombia
         croatia cuba cyprus czechia denmark deutschland ecuador egypt england estonia ethiopia finland france germany ghana
         greece greenland hungary iceland india indonesia iran iraq ireland israel italia italy japan kazakhstan kenya korea
         kuwait latvia lebanon liechtenstein lithuania luxembourg malaysia malta mexico morocco nepal netherlands zealand
         nigeria norge norway österreich pakistan panama paraguay peru philippines poland polska portugal qatar romania
         russia scotland serbia singapore slovakia slovenia spain españa sweden sverige switzerland schweiz taiwan
         tanzania thailand tunisia turkey uganda ukraine uruguay usa uk venezuela vietnam wales africa america kingdom",
    ),
    (
        Traits::CUE_ID,
        "ssn itin security sin nino insurance passport passeport pasaporte passaporto reisepass driver drivers driving
         führerschein pesel bsn burgerservicenummer cpf nir sécurité aadhaar aadhar dni nie nif steuer idnr
         steueridentifikationsnummer national identity personalausweis personnummer",
    ),
    (Traits::CUE_POSTAL, "zip zipcode postcode postal plz postleitzahl cap cep pincode"),
    (
        Traits::CUE_PHONE,
        "phone phones telephone tel mobile cell cellphone fax call calls called calling dial text sms whatsapp telegram reach
         ring office answering messages landline hotline contact téléphone portable telefon telefono teléfono móvil movil
         celular handy mobil telefone телефон тел puhelin phoned callback voicemail numbers extension ext dialed",
    ),
    (
        Traits::CUE_CARD,
        "card cards visa mastercard amex maestro cc credit debit discover diners jcb cardholder cvv cvc karte carte
         tarjeta carta cartão kaart kort karta",
    ),
    (
        Traits::CUE_ORDER,
        "order orders invoice tracking ticket reference ref transaction tx receipt shipment parcel isbn ean sku imei serial
         timestamp epoch barcode build",
    ),
    (
        Traits::CUE_SECRET,
        "password passwd pwd passphrase passcode secret secrets token tokens key keys apikey bearer credential credentials
         auth authorization passwort contraseña senha пароль",
    ),
    (
        Traits::MONTH,
        "january jan february feb apr april june jun july jul august aug september sept sep october oct november nov
         december dec januar februar märz juni juli oktober dezember janvier février avril juin juillet août septembre
         octobre novembre décembre enero febrero abril junio julio agosto septiembre octubre noviembre diciembre",
    ),
    (Traits::MONTH_UNSURE, "march mar may mai mayo mars marzo"),
    (
        Traits::WEEKDAY,
        "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun montag
         dienstag mittwoch donnerstag freitag samstag sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes
         miércoles jueves viernes sábado domingo",
    ),
    (
        Traits::DAY,
        "today tomorrow yesterday tonight tmrw eod eow heute morgen gestern demain hier aujourd hoy mañana ayer",
    ),
    (
        Traits::TIME_UNIT,
        "second seconds sec secs minute minutes min mins hour hours hr hrs day days week weeks month months quarter quarters
         year years decade decades weekend weekends fortnight morning afternoon evening night sprint",
    ),
    (Traits::WHICH_TIME, "next last this coming past previous following every each"),
    (
        Traits::CURRENCY,
        "dollar dollars usd euro euros eur pound pounds gbp quid buck bucks yen jpy yuan cny rupee rupees inr ruble rubles
         rub peso pesos mxn franc francs chf krona sek nok dkk cent cents pence cad aud nzd brl real reais won krw zloty pln
         lira btc eth bitcoin bitcoins",
    ),
    (
        Traits::MEASURE,
        "percent percentage kg kilogram kilograms kilo kilos g gram grams mg lb lbs ounce ounces oz ton tons tonnes km
         kilometer kilometers kilometre kilometres m meter meters metre metres cm mm mile miles mi feet foot ft inch inches
         yard yards gb mb kb tb gib mib kib pb byte bytes kbps mbps gbps ms ns µs us hz khz mhz ghz w kw kwh mw v volt volts
         liter liters litre litres l ml gallon gallons cup cups tablespoon tablespoons teaspoon teaspoons degree degrees
         celsius fahrenheit mph kph rpm rps qps tps fps px pixels dpi tokens requests users rows lines items calories units",
    ),
    (
        Traits::VERSIONED,
        "version versions release v python node nodejs java jdk go golang rust react vue angular php ruby rails django flask
         laravel kotlin swift scala postgres postgresql mysql mariadb redis mongodb elasticsearch kafka kubernetes k8s docker
         terraform ansible ubuntu debian fedora centos alpine windows macos ios android chrome firefox safari webpack vite npm
         yarn gradle maven spring typescript javascript es numpy pandas pytorch tensorflow openssl nginx apache linux kernel
         tls http html css unity unreal dotnet net",
    ),
    (Traits::CUE_REPOSITORY, "repo repos repository repositories fork clone github gitlab bitbucket"),
    (
        Traits::NUMBERED,
        "chapter section page figure table version step question number part act article rule room gate flight bus
         line route highway level grade season episode volume issue item task ticket top iphone ipad galaxy windows boeing
         airbus playstation xbox area covid formula python java node channel size class type phase stage option team apollo
         title act no nr season game day week sprint milestone release build port code error status line sql ie",
    ),
    (Traits::CUE_BIRTH, "born birth birthday dob birthdate geboren né née nacido nacida nato nata"),
    (
        Traits::STATE,
        "al ak az ar ca co ct de dc fl ga hi id il in ia ks ky la me md ma mi mn ms mo mt ne nv nh nj nm ny nc nd oh ok or pa
         ri sc sd tn tx ut vt va wa wv wi wy pr on qc bc ab mb sk ns nb nl pe nsw vic qld tas act nt aa ae ap",
    ),
    (Traits::PRONOUN, "he him his she her hers himself herself"),
    (
        Traits::BELONGING,
        "phone email address number mobile house home wife husband son daughter kid kids child children mother father mom
         dad brother sister family birthday salary password account card passport license ssn boss name killers death life
         resume cv diagnosis prescription medical",
    ),
    (Traits::ROLE, "guardian beneficiary contact owner manager director ceo cto speaker author nominee signatory cardholder"),
];
