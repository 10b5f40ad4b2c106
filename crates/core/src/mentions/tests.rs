//! Does a sentence give the values it names, each once, in order, and at its place?

use proptest::prelude::*;

use super::{Amount, Mention, Setting, Value, find};

/// What is found in a sentence but times, in the order of place: the words, and what they come to. What need not have
/// been meant stands in brackets.
fn told(text: &str) -> Vec<String> {
    let found = find(text, &Setting::default());
    let timeless = found.iter().filter(|mention| !matches!(mention.value, Value::Time(_)));
    timeless
        .map(|mention| {
            let told = format!("{}: {}", mention.span.of(text), value(mention));
            if mention.latent { format!("({told})") } else { told }
        })
        .collect()
}

fn value(mention: &Mention) -> String {
    match &mention.value {
        Value::Number(number) => amount(*number),
        Value::Percent(share) => format!("{} %", amount(*share)),
        Value::Measure(number, unit) => format!("{} {}", amount(*number), unit.name),
        Value::Money(number, currency) => format!("{} {currency}", amount(*number)),
        Value::Ordinal(place) => format!("#{place}"),
        Value::Email(text)
        | Value::Url(text)
        | Value::Phone(text)
        | Value::File(text)
        | Value::Quoted(text) => text.clone(),
        Value::Time(_) => String::new(),
    }
}

fn amount(amount: Amount) -> String {
    match amount {
        Amount::Exactly(value) => value.to_string(),
        Amount::AtLeast(value) => format!("{value} or more"),
        Amount::AtMost(value) => format!("{value} or less"),
        Amount::Between(from, to) => format!("{from} to {to}"),
    }
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(told(text), expected, "{text}");
}

#[test]
fn a_number_within_an_amount_is_no_mention_of_its_own() {
    check("add 30 % and 4 km", &["30 %: 30 %", "4 km: 4 kilometre"]);
    check("no less than $3.20", &["no less than $3.20: 3.2 or more dollar"]);
    check("under six gallons", &["under six gallons: 6 or less gallon"]);
    check("3-5 km", &["3-5 km: 3 to 5 kilometre"]);
    check("from 2km to 4km", &["from 2km to 4km: 2 to 4 kilometre"]);
    check("write to b12@example.com", &["b12@example.com: b12@example.com"]);
    check("the 4th of 9", &["4th: #4", "9: 9"]);
}

#[test]
fn a_word_that_only_begins_like_a_multiplier_is_none() {
    check("5 more", &["5: 5"]);
    check("7 big ones", &["7: 7"]);
    check("300k nets", &["(300k: 300 kilometre)", "300k: 300000"]);
    check("order 4 k", &["(4 k: 4 kilometre)", "4 k: 4000"]);
}

#[test]
fn what_need_not_be_meant_is_told_apart() {
    check("the second one", &["second: #2", "(one: 1)"]);
    check("one apple", &["one: 1"]);
    check("a couple of chairs", &["(a couple of: 2)"]);
    check("wait a minute", &["(a minute: 1 minute)"]);
    check("covid-19 in ward B7", &["(19: 19)", "(7: 7)"]);
    check("2027-03-04", &["(2027: 2027)", "(03: 3)", "(04: 4)"]);
    check("run 6m", &["(6m: 6 metre)", "(6m: 6 minute)", "(6m: 6000000)"]);
    check(
        "6M people on 5G",
        &["(6M: 6 metre)", "(6M: 6 minute)", "6M: 6000000", "(5G: 5 gram)", "(5G: 5000000000)"],
    );
    check("8 pounds", &["8 pounds: 8 pound", "8 pounds: 8 pound"]);
}

#[test]
fn ranges_lists_and_bounds() {
    check("between 3 and 5", &["between 3 and 5: 3 to 5"]);
    check("rows 1,2,3 and 5-7", &["1: 1", "2: 2", "3: 3", "5-7: 5 to 7"]);
    check("at least 3, at most 9", &["at least 3: 3 or more", "at most 9: 9 or less"]);
    check("rated 4.5 or more", &["4.5 or more: 4.5 or more"]);
    check("two thousand pairs", &["two thousand: 2000", "(pairs: 2)"]);
    check("between one hundred and two hundred", &["between one hundred and two hundred: 100 to 200"]);
    check("9 to 4", &["9: 9", "4: 4"]);
}

#[test]
fn several_sorts_stand_in_one_sentence() {
    check(
        "mail \"the plan\" to ann@example.org, call +1 212 555 0147 and open notes.txt",
        &[
            "\"the plan\": the plan",
            "ann@example.org: ann@example.org",
            "+1 212 555 0147: (+1) 2125550147",
            "notes.txt: notes.txt",
        ],
    );
}

/// A number in words, as it is said.
fn spelled(number: u32) -> String {
    const SMALL: [&str; 20] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    const TENS: [&str; 10] =
        ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    let with_rest = |size: u32, name: &str, joint: &str| {
        let rest = number % size;
        let head = format!("{} {name}", spelled(number / size));
        if rest == 0 { head } else { format!("{head}{joint}{}", spelled(rest)) }
    };
    match number {
        0..=19 => SMALL[number as usize].to_owned(),
        20..=99 if number.is_multiple_of(10) => TENS[number as usize / 10].to_owned(),
        20..=99 => format!("{}-{}", TENS[number as usize / 10], SMALL[number as usize % 10]),
        100..=999 => with_rest(100, "hundred", " and "),
        1000..=999_999 => with_rest(1000, "thousand", " "),
        _ => with_rest(1_000_000, "million", " "),
    }
}

/// A number in figures with commas between its thousands.
fn grouped(number: u32) -> String {
    let rest = number % 1000;
    if number < 1000 { rest.to_string() } else { format!("{},{rest:03}", grouped(number / 1000)) }
}

proptest! {
    #[test]
    fn a_number_is_the_same_in_words_and_figures(number in 0u32..1_000_000_000) {
        let wanted = [Value::Number(Amount::Exactly(f64::from(number)))];
        for text in [spelled(number), grouped(number), number.to_string()] {
            let text = format!("take {text} of them");
            let found = find(&text, &Setting::default());
            let numbers: Vec<&Value> =
                found.iter().map(|mention| &mention.value).filter(|value| matches!(value, Value::Number(_))).collect();
            prop_assert_eq!(numbers, wanted.iter().collect::<Vec<_>>(), "{}", text);
        }
    }

    #[test]
    fn mentions_lie_in_the_text_and_in_order(text in "([a-z0-9$%.,:/()'\"@#°½-]{1,4}|five|hundred|and|half|to|at|km| ){0,24}") {
        let found = find(&text, &Setting::default());
        for mention in &found {
            prop_assert!(!mention.span.of(&text).is_empty(), "{:?} in {:?}", mention, text);
        }
        prop_assert!(found.is_sorted_by_key(|mention| mention.span.start));
    }
}
