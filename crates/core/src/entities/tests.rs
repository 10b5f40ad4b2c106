//! Are entities found, and only they?

use proptest::prelude::*;

use super::EntityKind::{self, *};
use super::{Known, find, personal};
use crate::limits::ENTITIES_MAX;

/// Everything that is found in a text, as written there.
#[track_caller]
fn check(text: &str, expected: &[(EntityKind, &str)]) {
    let known = Known::new([("Aurora Search", Product), ("Aurora", Product), ("ledger", Service)]);
    let found = find(text, &known);
    let found: Vec<(EntityKind, &str)> =
        found.iter().map(|entity| (entity.kind, entity.span.of(text))).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn links() {
    check("write to ana.ruiz+news@example.co.uk.", &[(Email, "ana.ruiz+news@example.co.uk")]);
    check("<jürgen@müller.de>, thanks", &[(Email, "jürgen@müller.de")]);
    check("ping @ana or me @ home, a@b", &[]);
    check("see https://example.com/a?b=c#d, please", &[(Url, "https://example.com/a?b=c#d")]);
    check(
        "open www.example.org and docs.example.io/start",
        &[(Url, "www.example.org"), (Url, "docs.example.io/start")],
    );
    check("https://example.com/?mail=ana@example.com", &[(Email, "ana@example.com")]);
    check("e.g. this, i.e. that, etc.", &[]);
    check("the end.Next sentence", &[]);
    check("is 10.0.0.12 down, or 10.0.0.12:8080?", &[(IpAddress, "10.0.0.12"), (IpAddress, "10.0.0.12")]);
    check("ping fe80::1ff:fe23:4567:890a", &[(IpAddress, "fe80::1ff:fe23:4567:890a")]);
    check("256.1.1.1 is none", &[]);
}

#[test]
fn cards() {
    check("card 4111 1111 1111 1111 is lost", &[(Card, "4111 1111 1111 1111")]);
    check("4111111111111111", &[(Card, "4111111111111111")]);
    check("amex 3782-822463-10005", &[(Card, "3782-822463-10005")]);
    check("my card is 5555 5555 5555 4444 12/27", &[(Card, "5555 5555 5555 4444")]);
    check("card 4111 1111 1111 1112", &[]);
    check("order 1234567890123456", &[]);
    check("maestro card 6759649826438453", &[(Card, "6759649826438453")]);
    check("batch 6759649826438453", &[]);
}

#[test]
fn accounts() {
    check("pay GB82 WEST 1234 5698 7654 32 today", &[(Iban, "GB82 WEST 1234 5698 7654 32"), (Date, "today")]);
    check("iban de89370400440532013000", &[(Iban, "de89370400440532013000")]);
    check("iban DE88370400440532013000", &[]);
    check("iban DE8937040044053201300", &[]);
}

#[test]
fn phones() {
    check("call +44 20 7946 0958 now", &[(Phone, "+44 20 7946 0958")]);
    check("(541) 714-1388", &[(Phone, "(541) 714-1388")]);
    check("reach me at 541.714.1388", &[(Phone, "541.714.1388")]);
    check("phone: 467 3395", &[(Phone, "467 3395")]);
    check("tel. 06 12 34 56 78", &[(Phone, "06 12 34 56 78")]);
    check("text me on 5417141388", &[(Phone, "5417141388")]);
    check("it has 467 3395 parts", &[]);
    check("build 5417141388", &[]);
    check("1 000 000 rows", &[(Amount, "1 000 000 rows")]);
}

#[test]
fn national_ids() {
    check("ssn 078-05-1120", &[(NationalId, "078-05-1120")]);
    check("my social security number is 078051120", &[(NationalId, "078051120")]);
    check("part 078051120", &[]);
    check("666-05-1120 and 078-00-1120 and 078-05-0000", &[]);
    check("ITIN 912-70-1234", &[(NationalId, "912-70-1234")]);
    check("NINO AB 12 34 56 C", &[(NationalId, "AB 12 34 56 C")]);
    check("code GB123456C", &[]);
    check("my SIN is 046 454 286", &[(NationalId, "046 454 286")]);
    check("DNI 12345678Z, not 12345678A", &[(NationalId, "12345678Z")]);
    check("codice RSSMRA85T10A562S", &[(NationalId, "RSSMRA85T10A562S")]);
    check("PESEL 44051401359", &[(NationalId, "44051401359")]);
    check("CPF 529.982.247-25", &[(NationalId, "529.982.247-25")]);
    check("BSN 111222333", &[(NationalId, "111222333")]);
    check("aadhaar 2341 2341 2346", &[(NationalId, "2341 2341 2346")]);
    check("Steuer-ID 86095742719", &[(NationalId, "86095742719")]);
    check("sécurité sociale 2 55 08 14 168 025 38", &[(NationalId, "2 55 08 14 168 025 38")]);
    check("passport number is X1234567", &[(NationalId, "X1234567")]);
    check("her driver's license: D123-4567-8901", &[(NationalId, "D123-4567-8901")]);
    check("the MIT license of 2024 and my passport", &[(Date, "2024")]);
}

#[test]
fn addresses() {
    check("I live at 12 Main Street.", &[(Address, "12 Main Street")]);
    check("ship to 221B Baker St, London", &[(Address, "221B Baker St")]);
    check("6750 Koskikatu 25 Apt. 864", &[(Address, "6750 Koskikatu 25 Apt. 864")]);
    check("Sie wohnt Lindenstraße 12a", &[(Address, "Lindenstraße 12a")]);
    check("Kunde wohnt Lindenstraße 12, 10969 Berlin", &[(Address, "Lindenstraße 12, 10969 Berlin")]);
    check("31 rue de la Paix, Paris", &[(Address, "31 rue de la Paix")]);
    check("abito in via Roma 12", &[(Address, "via Roma 12")]);
    check("send it via Route 66", &[]);
    check("ul. Długa 86", &[(Address, "ul. Długa 86")]);
    check("P.O. Box 287", &[(Address, "P.O. Box 287")]);
    check("PSC 6293, Box 8158\nAPO AP 04336", &[(Address, "PSC 6293, Box 8158\nAPO AP 04336")]);
    check("12 main street, please", &[(Address, "12 main street")]);
    check("it is a 5 minute drive", &[(Amount, "5 minute")]);
    check("10 ways to place an order", &[]);
    check("in 2 places on the road", &[]);
}

#[test]
fn persons() {
    check("my name is Krisztián Szöllösy", &[(Person, "Krisztián Szöllösy")]);
    check("my name is vitoria", &[(Person, "vitoria")]);
    check("my name is wrong", &[]);
    check("please ask Mr. Fábio Barros", &[(Person, "Fábio Barros")]);
    check("Der Kunde Hans Müller ruft an", &[(Person, "Hans Müller")]);
    check("my son Lukas is ill", &[(Person, "Lukas")]);
    check("Samantha's phone is broken", &[(Person, "Samantha")]);
    check("Please open the Settings page", &[]);
    check("Deploy it on Monday in Berlin", &[(Date, "Monday")]);
}

#[test]
fn secrets() {
    check("AKIAIOSFODNN7EXAMPLE leaked", &[(Secret, "AKIAIOSFODNN7EXAMPLE")]);
    let token = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    check(&token, &[(Secret, &token)]);
    check("password=hunter22", &[(Secret, "hunter22")]);
    check("the password is Tr0ub4dor&3", &[(Secret, "Tr0ub4dor&3")]);
    check("the password is wrong", &[]);
    check("password: <password>", &[]);
    check("reset my password and token", &[]);
    check("postgres://app:s3cret@db/prod", &[(Secret, "s3cret")]);
    check("api_key: \"9f8a7b6c5d4e3f2a1b0c\"", &[(Identifier, "api_key"), (Secret, "9f8a7b6c5d4e3f2a1b0c")]);
    check("Authorization: Bearer abcdEFGH1234ijklMNOP5678", &[(Secret, "abcdEFGH1234ijklMNOP5678")]);
    let key = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----";
    check(key, &[(Secret, key)]);
    let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTYifQ.SflKxwRJSMeKKF2QT4";
    check(jwt, &[(Secret, jwt)]);
}

#[test]
fn files_and_repositories() {
    check("fix src/main.rs and Cargo.toml", &[(File, "src/main.rs"), (File, "Cargo.toml")]);
    check("the Dockerfile, *.tsx and docs/*", &[(File, "Dockerfile"), (File, "*.tsx"), (File, "docs/*")]);
    check("put it into .env", &[(File, ".env")]);
    check("edit ~/.ssh/config or C:\\temp\\a.txt", &[(File, "~/.ssh/config"), (File, "C:\\temp\\a.txt")]);
    check("and/or CI/CD, 24/7, he/she", &[]);
    check("node.js with vue.js", &[(Product, "node.js"), (Product, "vue.js")]);
    check("clone rust-lang/rust", &[(Repository, "rust-lang/rust")]);
    check("https://github.com/a/b/pull/7", &[(Repository, "https://github.com/a/b")]);
    check("git@github.com:a/b.git", &[(Repository, "git@github.com:a/b.git")]);
    check("the\u{a0}wäy-post repo", &[(Repository, "wäy-post")]);
    check("restart payment-service", &[(Service, "payment-service")]);
    check("is the billing service up", &[(Service, "billing")]);
    check("the customer service and the\u{a0}tax service", &[]);
    check("how good is the new service", &[]);
    check("is the checkout service up", &[(Service, "checkout")]);
}

#[test]
fn versions_and_identifiers() {
    check("upgrade to v2.1 or 1.2.3", &[(Version, "v2.1"), (Version, "1.2.3")]);
    check("Python 3.12 is out", &[(Version, "3.12")]);
    check("about 3.12 of them", &[]);
    check("version 10.0.0.12", &[(Version, "10.0.0.12")]);
    check("see ABC-123 and #45", &[(Identifier, "ABC-123"), (Identifier, "#45")]);
    check("UTF-8 and SHA-256", &[]);
    check("error E0502", &[(Identifier, "E0502")]);
    check("call getUser() in user_store", &[(Identifier, "getUser"), (Identifier, "user_store")]);
    check("commit 4f2a9c1", &[(Identifier, "4f2a9c1")]);
    check("0b5d9f1e-8c1a-4c2e-9d3f-1a2b3c4d5e6f", &[(Identifier, "0b5d9f1e-8c1a-4c2e-9d3f-1a2b3c4d5e6f")]);
    check("my iPhone and JavaScript", &[]);
}

#[test]
fn dates_and_amounts() {
    check("due 2024-05-01", &[(Date, "2024-05-01")]);
    check("on 5/12/2023 at 10:30", &[(Date, "5/12/2023 at 10:30")]);
    check("01.05.2024", &[(Date, "01.05.2024")]);
    check("next Friday by 5pm", &[(Date, "next Friday"), (Date, "5pm")]);
    check("May 1st, 2024, and you may go", &[(Date, "May 1st, 2024")]);
    check("3 days ago", &[(Date, "3 days ago")]);
    check("in 2 weeks", &[(Date, "2 weeks")]);
    check("know now", &[]);
    check("born on 2/16/1942", &[(DateOfBirth, "2/16/1942")]);
    check("my birthday party is June 3", &[(Date, "June 3")]);
    check("$1,200.50 or 30 euros", &[(Amount, "$1,200.50"), (Amount, "30 euros")]);
    check("15% of 5GB in 20 ms", &[(Amount, "15%"), (Amount, "5GB"), (Amount, "20 ms")]);
    check("20 € please", &[(Amount, "20 €")]);
}

#[test]
fn known_names() {
    check("Is aurora search down?", &[(Product, "aurora search")]);
    check("the Aurora, the ledger", &[(Product, "Aurora"), (Service, "ledger")]);
    check("auroras", &[]);
}

#[test]
fn what_is_personal() {
    let cases = [
        ("call +44 20 7946 0958", true),
        ("my name is Ana Ruiz", true),
        ("ana@example.com", true),
        ("who was Isaac Newton?", false),
        ("ask Maria to review ABC-12", false),
        ("AKIAIOSFODNN7EXAMPLE", false),
        ("my zip code is 35350", false),
        ("the limit is 4111 1111 1111 1112", false),
    ];
    for (text, expected) in cases {
        assert_eq!(personal(&find(text, &Known::default())).is_some(), expected, "{text}");
    }
}

#[test]
fn personal_data_is_kept_where_there_is_too_much() {
    let text = format!("{} ana@example.com", "ABC-123 ".repeat(5 * ENTITIES_MAX));
    let found = find(&text, &Known::default());
    assert_eq!(found.len(), ENTITIES_MAX);
    assert!(personal(&found).is_some());
}

proptest! {
    #[test]
    fn any_text_has_entities_in_order_and_apart(text in "(\\PC|\n|['$=#]|[0-9 .@/:_-]|Mr\\. |street |Apt\\. |[A-Z][a-z]+ ){0,60}") {
        let found = find(&text, &Known::new([("a", Product)]));
        for entity in &found {
            prop_assert!(!entity.span.of(&text).is_empty());
        }
        for pair in found.windows(2) {
            prop_assert!(pair[0].span.end <= pair[1].span.start);
        }
    }
}
