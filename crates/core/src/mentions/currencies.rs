//! Which words and signs are money?

use super::countries::{adjective, dollar_of};
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
            // The sign for cents and pence is a small letter; a large one is a temperature.
            if let "c" | "p" = token.span.of(tokens.text()) {
                return Some((Coin { latent: true, ..coin("cent") }, behind));
            }
            let coin = noun(&token.lower).or_else(|| code(token.span.of(tokens.text())).map(coin))?;
            let point =
                usize::from(token.lower == "rs" && tokens.is_joined(behind) && tokens.lower(behind) == ".");
            let sterling = usize::from(coin.name == "pound" && tokens.lower(behind) == "sterling");
            Some((if sterling == 1 { self::coin("GBP") } else { coin }, behind + point + sterling))
        }
    }
}

/// The currencies that a text names: three letters, or the word where several are called so.
pub(super) fn named(text: &str) -> Vec<&'static str> {
    let tokens = Tokens::new(text);
    let (mut found, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let Some((coin, next)) = self::at(&tokens, at) else {
            at += 1;
            continue;
        };
        // A cent or a grand is so much of any currency.
        found.extend(Some(coin.name).filter(|name| !coin.latent && !matches!(*name, "cent" | "grand")));
        at = next.max(at + 1);
    }
    found
}

/// Whether two names may be of the same currency: dollars are those of any country that has them, until it is said which.
pub(super) fn alike(one: &str, other: &str) -> bool {
    let may_be = |word: &str, code: &str| match word {
        "dollar" => {
            code.ends_with('D')
                && !matches!(
                    code,
                    "AED" | "BHD" | "IQD" | "JOD" | "KWD" | "LYD" | "MAD" | "RSD" | "TND" | "DZD"
                )
        }
        "dinar" => matches!(code, "BHD" | "IQD" | "JOD" | "KWD" | "LYD" | "RSD" | "TND" | "DZD"),
        "pound" => matches!(code, "GBP" | "EGP" | "LBP" | "SYP" | "GIP" | "FKP" | "SHP" | "SSP" | "SDG"),
        "peso" => matches!(code, "ARS" | "CLP" | "COP" | "CUP" | "DOP" | "MXN" | "PHP" | "UYU"),
        "franc" => code.ends_with('F'),
        "krone" => matches!(code, "SEK" | "NOK" | "DKK" | "ISK" | "CZK"),
        "riyal" => matches!(code, "SAR" | "QAR" | "OMR" | "YER"),
        "rial" => matches!(code, "IRR" | "OMR" | "YER"),
        "shilling" => matches!(code, "KES" | "TZS" | "UGX" | "SOS"),
        "cent" | "grand" => true,
        _ => false,
    };
    one == other || may_be(one, other) || may_be(other, one)
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
}
