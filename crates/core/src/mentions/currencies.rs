//! Which words and signs are money?

use super::tokens::{Kind, Tokens};

/// The currencies by their three letters, in order.
const CODES: &[&str] = &[
    "AED", "AFN", "ALL", "AMD", "ANG", "AOA", "ARS", "AUD", "AWG", "AZN", "BAM", "BBD", "BDT", "BGN", "BHD",
    "BIF", "BMD", "BND", "BOB", "BRL", "BSD", "BTC", "BTN", "BWP", "BYN", "BZD", "CAD", "CDF", "CHF", "CLP",
    "CNY", "COP", "CRC", "CUP", "CVE", "CZK", "DJF", "DKK", "DOP", "DZD", "EGP", "ERN", "ETB", "ETH", "EUR",
    "FJD", "FKP", "GBP", "GEL", "GHS", "GIP", "GMD", "GNF", "GTQ", "GYD", "HKD", "HNL", "HRK", "HTG", "HUF",
    "IDR", "ILS", "INR", "IQD", "IRR", "ISK", "JMD", "JOD", "JPY", "KES", "KGS", "KHR", "KMF", "KPW", "KRW",
    "KWD", "KYD", "KZT", "LAK", "LBP", "LKR", "LRD", "LSL", "LYD", "MAD", "MDL", "MGA", "MKD", "MMK", "MNT",
    "MOP", "MRU", "MUR", "MVR", "MWK", "MXN", "MYR", "MZN", "NAD", "NGN", "NIO", "NOK", "NPR", "NZD", "OMR",
    "PAB", "PEN", "PGK", "PHP", "PKR", "PLN", "PYG", "QAR", "RON", "RSD", "RUB", "RWF", "SAR", "SBD", "SCR",
    "SDG", "SEK", "SGD", "SHP", "SLE", "SOS", "SRD", "SSP", "STN", "SVC", "SYP", "SZL", "THB", "TJS", "TMT",
    "TND", "TOP", "TRY", "TTD", "TWD", "TZS", "UAH", "UGX", "USD", "UYU", "UZS", "VES", "VND", "VUV", "WST",
    "XAF", "XCD", "XOF", "XPF", "YER", "ZAR", "ZMW",
];

/// What a word or a sign of money stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Coin {
    /// The currency: three letters, or the word where several are called so.
    pub name: &'static str,
    /// What one of it is worth, in hundredths of that currency.
    pub hundredths: u32,
    /// Whether the word need not be money.
    pub latent: bool,
}

/// Hundredths of a whole one.
const WHOLE: u32 = 100;

impl Coin {
    /// What so many of it come to in its currency.
    pub(super) fn sum(self, count: f64) -> f64 {
        if self.is_whole() { count } else { count * f64::from(self.hundredths) / f64::from(WHOLE) }
    }

    /// Whether it is one of its currency, neither a part of it nor a multiple.
    pub(super) fn is_whole(self) -> bool {
        self.hundredths == WHOLE
    }
}

const fn coin(name: &'static str) -> Coin {
    Coin { name, hundredths: WHOLE, latent: false }
}

/// The coin that is written at a token, and the token behind it.
pub(super) fn at(tokens: &Tokens<'_>, i: usize) -> Option<(Coin, usize)> {
    let token = tokens.get(i)?;
    match token.kind {
        Kind::Figures => None,
        Kind::Sign => sign(&token.lower).map(|name| (coin(name), i + 1)),
        Kind::Word => {
            let behind = i + 1;
            if tokens.is_joined(behind) && tokens.lower(behind) == "$" {
                return dollar_of(&token.lower).map(|name| (coin(name), i + 2));
            }
            if let Some(found) = national(tokens, i) {
                return Some(found);
            }
            let coin = noun(&token.lower).or_else(|| code(token.span.of(tokens.text())).map(coin))?;
            let point =
                usize::from(token.lower == "rs" && tokens.is_joined(behind) && tokens.lower(behind) == ".");
            let sterling = usize::from(coin.name == "pound" && tokens.lower(behind) == "sterling");
            Some((if sterling == 1 { self::coin("GBP") } else { coin }, behind + point + sterling))
        }
    }
}

/// A coin that is written before its number: a sign, three letters, Rs, RM, the one word for its currency.
pub(super) fn before(tokens: &Tokens<'_>, i: usize) -> Option<(Coin, usize)> {
    let (coin, next) = at(tokens, i)?;
    let told = coin.name.starts_with(|first: char| first.is_ascii_uppercase());
    let sign = tokens.get(i).is_some_and(|token| token.kind == Kind::Sign);
    (!coin.latent && coin.is_whole() && (told || sign)).then_some((coin, next))
}

fn sign(sign: &str) -> Option<&'static str> {
    Some(match sign {
        "$" => "dollar",
        "€" => "EUR",
        "£" => "pound",
        "¥" => "JPY",
        "₹" => "INR",
        "₽" => "RUB",
        "₩" => "KRW",
        "₪" => "ILS",
        "₺" => "TRY",
        "฿" => "THB",
        "₫" => "VND",
        "₦" => "NGN",
        "₱" => "PHP",
        "₴" => "UAH",
        "₮" => "MNT",
        "¢" => "cent",
        _ => return None,
    })
}

/// Whose dollar it is where letters stand before the sign: US$, A$.
fn dollar_of(lower: &str) -> Option<&'static str> {
    Some(match lower {
        "us" | "usd" => "USD",
        "a" | "au" | "aud" => "AUD",
        "c" | "ca" | "can" | "cad" => "CAD",
        "nz" | "nzd" => "NZD",
        "hk" | "hkd" => "HKD",
        "s" | "sg" | "sgd" => "SGD",
        "nt" => "TWD",
        "r" => "BRL",
        "mx" => "MXN",
        "tt" => "TTD",
        "j" | "jm" => "JMD",
        "bz" => "BZD",
        _ => return None,
    })
}

/// The currency of three letters. Those that are words count only in capitals: TRY, ALL.
fn code(text: &str) -> Option<&'static str> {
    let letters: [u8; 3] = text.as_bytes().try_into().ok()?;
    let upper = letters.map(|letter| letter.to_ascii_uppercase());
    let found =
        CODES.binary_search_by(|code| code.as_bytes().cmp(&upper)).ok().and_then(|at| CODES.get(at))?;
    let word = matches!(
        *found,
        "ALL"
            | "TRY"
            | "COP"
            | "MAD"
            | "TOP"
            | "GEL"
            | "PEN"
            | "BAM"
            | "CUP"
            | "RON"
            | "MOP"
            | "BOB"
            | "CAD"
            | "LAK"
            | "SOS"
            | "ETH"
            | "ANG"
            | "MUR"
            | "NAD"
            | "STN"
            | "ERN"
    );
    (!word || letters == upper).then_some(*found)
}

/// What a coin is called.
fn noun(lower: &str) -> Option<Coin> {
    let hundredth = |name| Coin { name, hundredths: 1, latent: false };
    let singular = lower.strip_suffix('s').filter(|singular| singular.len() > 2).unwrap_or(lower);
    Some(match singular {
        "dollar" | "buck" => coin("dollar"),
        "grand" => Coin { hundredths: 1000 * WHOLE, ..coin("grand") },
        "cent" | "penny" | "pennie" | "pence" => coin("cent"),
        "c" | "p" => Coin { latent: true, ..coin("cent") },
        "pound" => coin("pound"),
        "quid" => coin("GBP"),
        "euro" => coin("EUR"),
        "rupee" | "rs" | "re" if lower != "re" && lower != "res" => coin("INR"),
        "paise" | "paisa" => hundredth("INR"),
        "sen" => hundredth("MYR"),
        "kopiyka" | "kopiyok" => hundredth("UAH"),
        "kopeck" | "kopek" => hundredth("RUB"),
        "peso" => coin("peso"),
        "franc" => coin("franc"),
        "dinar" => coin("dinar"),
        "riyal" => coin("riyal"),
        "rial" => coin("rial"),
        "krona" | "krone" | "kroner" | "kronor" => coin("krone"),
        "kr" => Coin { latent: true, ..coin("krone") },
        "shilling" => coin("shilling"),
        "le" if lower == "le" => Coin { latent: true, ..coin("EGP") },
        _ => return bare(singular).or_else(|| only(singular)),
    })
}

/// Pieces of metal that are a sum by themselves.
pub(super) fn bare(singular: &str) -> Option<Coin> {
    Some(match singular {
        "dime" => Coin { hundredths: 10, ..coin("dollar") },
        "nickel" => Coin { hundredths: 5, ..coin("dollar") },
        "quarter" => Coin { hundredths: 25, latent: true, ..coin("dollar") },
        _ => return None,
    })
}

/// Coins that only one country has, or one above all.
fn only(singular: &str) -> Option<Coin> {
    Some(coin(match singular {
        "yen" => "JPY",
        "yuan" | "renminbi" | "rmb" => "CNY",
        "ringgit" | "rm" => "MYR",
        "shekel" | "nis" => "ILS",
        "tugrik" | "tögrög" => "MNT",
        "baht" => "THB",
        "zloty" | "złoty" => "PLN",
        "forint" => "HUF",
        "koruna" => "CZK",
        "reai" | "reais" => "BRL",
        "rand" => "ZAR",
        "lira" => "TRY",
        "hryvnia" | "hryvna" => "UAH",
        "ruble" | "rouble" => "RUB",
        "dirham" => "AED",
        "dong" => "VND",
        "rupiah" => "IDR",
        "taka" => "BDT",
        "naira" => "NGN",
        "cedi" => "GHS",
        "leu" | "lei" => "RON",
        "genihat" | "geneh" => "EGP",
        "bitcoin" => "BTC",
        _ => return None,
    }))
}

/// Whose coin it is, in words: Canadian dollars, egyptianpound, L.E.
fn national(tokens: &Tokens<'_>, i: usize) -> Option<(Coin, usize)> {
    let lower = tokens.lower(i);
    let second = tokens.lower(i + 1);
    let (name, next) = match (lower, second) {
        ("l", ".") if tokens.lower(i + 2) == "e" && tokens.is_joined(i + 2) => {
            return Some((coin("EGP"), i + 3));
        }
        ("new", "zealand") => ("NZD", i + 2),
        ("hong", "kong") => ("HKD", i + 2),
        ("sri", "lankan") => ("LKR", i + 2),
        ("genihat" | "geneh", "masriya" | "masri") => return Some((coin("EGP"), i + 2)),
        _ => match adjective(lower) {
            Some((name, "")) => (name, i + 1),
            Some((name, rest)) => return noun(rest).map(|_| (coin(name), i + 1)),
            None => return None,
        },
    };
    let own = noun(tokens.lower(next))?;
    Some((Coin { name, hundredths: own.hundredths, latent: false }, next + 1))
}

/// The currency of whom a word begins with, and what is left of the word.
fn adjective(lower: &str) -> Option<(&'static str, &str)> {
    const WHOSE: &[(&str, &str)] = &[
        ("american", "USD"),
        ("us", "USD"),
        ("usa", "USD"),
        ("australian", "AUD"),
        ("aussie", "AUD"),
        ("canadian", "CAD"),
        ("british", "GBP"),
        ("english", "GBP"),
        ("uk", "GBP"),
        ("egyptian", "EGP"),
        ("lebanese", "LBP"),
        ("syrian", "SYP"),
        ("sudanese", "SDG"),
        ("kuwaiti", "KWD"),
        ("jordanian", "JOD"),
        ("iraqi", "IQD"),
        ("bahraini", "BHD"),
        ("tunisian", "TND"),
        ("algerian", "DZD"),
        ("serbian", "RSD"),
        ("libyan", "LYD"),
        ("saudi", "SAR"),
        ("qatari", "QAR"),
        ("yemeni", "YER"),
        ("iranian", "IRR"),
        ("omani", "OMR"),
        ("mexican", "MXN"),
        ("philippine", "PHP"),
        ("filipino", "PHP"),
        ("argentine", "ARS"),
        ("chilean", "CLP"),
        ("colombian", "COP"),
        ("cuban", "CUP"),
        ("indian", "INR"),
        ("pakistani", "PKR"),
        ("nepalese", "NPR"),
        ("swiss", "CHF"),
        ("swedish", "SEK"),
        ("norwegian", "NOK"),
        ("danish", "DKK"),
        ("icelandic", "ISK"),
        ("malaysian", "MYR"),
        ("malaysia", "MYR"),
        ("israeli", "ILS"),
        ("brazilian", "BRL"),
        ("turkish", "TRY"),
        ("japanese", "JPY"),
        ("chinese", "CNY"),
        ("singapore", "SGD"),
        ("jamaican", "JMD"),
        ("taiwan", "TWD"),
        ("taiwanese", "TWD"),
        ("belize", "BZD"),
        ("moroccan", "MAD"),
        ("emirati", "AED"),
        ("uae", "AED"),
        ("kenyan", "KES"),
        ("south african", "ZAR"),
        ("czech", "CZK"),
        ("russian", "RUB"),
        ("mongolian", "MNT"),
        ("korean", "KRW"),
        ("thai", "THB"),
        ("ukrainian", "UAH"),
        ("polish", "PLN"),
    ];
    let found = WHOSE.iter().filter(|(whose, _)| lower.starts_with(whose));
    let (whose, name) = found.max_by_key(|(whose, _)| whose.len())?;
    lower.strip_prefix(whose).map(|rest| (*name, rest))
}

/// The currency of a country, and the word that its people have for it; only where the word is shared.
fn of_country(country: &str) -> Option<(&'static str, &'static str)> {
    Some(match country {
        "US" => ("USD", "dollar"),
        "AU" => ("AUD", "dollar"),
        "CA" => ("CAD", "dollar"),
        "NZ" => ("NZD", "dollar"),
        "BZ" => ("BZD", "dollar"),
        "JM" => ("JMD", "dollar"),
        "TT" => ("TTD", "dollar"),
        "HK" => ("HKD", "dollar"),
        "SG" => ("SGD", "dollar"),
        "GB" => ("GBP", "pound"),
        "EG" => ("EGP", "pound"),
        "LB" => ("LBP", "pound"),
        "PH" => ("PHP", "peso"),
        "MX" => ("MXN", "peso"),
        "AR" => ("ARS", "peso"),
        "CH" => ("CHF", "franc"),
        "SE" => ("SEK", "krone"),
        "NO" => ("NOK", "krone"),
        "DK" => ("DKK", "krone"),
        "SA" => ("SAR", "riyal"),
        "QA" => ("QAR", "riyal"),
        "IR" => ("IRR", "rial"),
        "OM" => ("OMR", "rial"),
        "KW" => ("KWD", "dinar"),
        "KE" => ("KES", "shilling"),
        _ => return None,
    })
}

/// The currency that is meant by a word in a country, and what one of the word is worth in it.
pub(super) fn meant(name: &'static str, country: Option<&str>) -> (&'static str, f64) {
    let own = country.and_then(of_country);
    match (name, own) {
        (_, Some((code, word))) if word == name => (code, 1.0),
        ("cent", Some((code, "dollar"))) => (code, 0.01),
        ("grand", Some((code, "dollar" | "pound"))) => (code, 1.0),
        ("grand", _) => ("dollar", 1.0),
        _ => (name, 1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let tokens = Tokens::new(text);
        let found = at(&tokens, 0).filter(|(_, next)| *next == tokens.len());
        assert_eq!(found.map(|(coin, _)| coin.name), expected, "{text}");
    }

    #[test]
    fn money_goes_by_words_signs_and_letters() {
        check("€", Some("EUR"));
        check("dollars", Some("dollar"));
        check("usd", Some("USD"));
        check("A$", Some("AUD"));
        check("Rs.", Some("INR"));
        check("New Zealand dollars", Some("NZD"));
        check("omani rials", Some("OMR"));
        check("pounds sterling", Some("GBP"));
        check("TRY", Some("TRY"));
        check("try", None);
        check("apples", None);
    }

    #[test]
    fn letters_are_in_order() {
        assert!(CODES.is_sorted());
    }

    #[test]
    fn a_word_that_is_shared_is_that_of_the_country() {
        assert_eq!(meant("dollar", Some("NZ")), ("NZD", 1.0));
        assert_eq!(meant("dollar", Some("GB")), ("dollar", 1.0));
        assert_eq!(meant("grand", Some("GB")), ("GBP", 1.0));
        assert_eq!(meant("cent", Some("US")), ("USD", 0.01));
        assert_eq!(meant("pound", None), ("pound", 1.0));
    }
}
