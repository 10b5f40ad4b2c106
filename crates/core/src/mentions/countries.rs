//! Whose money is it? What letters, words and the speaker's country tell of it.

/// Whose dollar it is where letters stand before the sign: US$, A$.
pub(super) fn dollar_of(lower: &str) -> Option<&'static str> {
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

/// Letters that a word has at least that says whose coin it is and which.
const LONG: usize = 8;

/// Whose coin it is, and its three letters.
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
    ("czech", "CZK"),
    ("russian", "RUB"),
    ("mongolian", "MNT"),
    ("korean", "KRW"),
    ("thai", "THB"),
    ("ukrainian", "UAH"),
    ("polish", "PLN"),
];

/// The currency of whom a word begins with, and what is left of the word.
pub(super) fn adjective(lower: &str) -> Option<(&'static str, &str)> {
    // Most words are whose of nobody; only a long one can hold a coin as well.
    let alone =
        |(whose, _): &&(&str, &str)| lower == *whose || (lower.len() > LONG && lower.starts_with(whose));
    let (whose, name) = WHOSE.iter().filter(alone).max_by_key(|(whose, _)| whose.len())?;
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

    #[test]
    fn a_word_that_is_shared_is_that_of_the_country() {
        assert_eq!(meant("dollar", Some("NZ")), ("NZD", 1.0));
        assert_eq!(meant("dollar", Some("GB")), ("dollar", 1.0));
        assert_eq!(meant("grand", Some("GB")), ("GBP", 1.0));
        assert_eq!(meant("cent", Some("US")), ("USD", 0.01));
        assert_eq!(meant("pound", None), ("pound", 1.0));
    }
}
