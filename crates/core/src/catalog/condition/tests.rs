//! Do conditions mean what they say, and are the others refused?

use super::*;

/// The facts of every test here.
fn fact(name: &str) -> Option<Value<'static>> {
    match name {
        "user.reputation_score" => Value::number(0.1 + 0.2),
        "user.total_tasks_completed" => Some(Value::count(u64::MAX)),
        "user.recent_error_count" => Some(Value::count(3)),
        "task.urgency_level" => Some(Value::text("high")),
        "task.has_urgency_keywords" | "session.no" => Some(Value::Flag(false)),
        "session.yes" | "signals.seen" => Some(Value::Flag(true)),
        "environment.stage" => Some(Value::text("pre prod")),
        "environment.level" => Value::number(-2.5),
        "environment.nan" => Value::number(f64::NAN),
        "environment.endless" => Value::number(f64::INFINITY),
        _ => None,
    }
}

#[track_caller]
fn check(source: &str, expected: bool) {
    let condition = Condition::read(source).unwrap_or_else(|fault| panic!("{source}: {fault:?}"));
    let faults = condition.faults(&Scope::Beside(&["seen"]));
    assert!(faults.is_empty(), "{source}: {faults:?}");
    assert_eq!(condition.holds(&fact), expected, "{source}");
    assert_eq!(condition.source(), source.trim());
}

#[test]
fn comparisons_are_exact_to_a_millionth() {
    check("user.reputation_score = 0.3", true);
    check("user.reputation_score >= 0.3", true);
    check("user.reputation_score > 0.3", false);
    check("user.reputation_score <= 0.300000", true);
    check("user.reputation_score < 0.300001", true);
    check("user.reputation_score>0.299999", true);
    check("user.reputation_score != 0.3", false);
    check("user.total_tasks_completed > 18446744073709551614", true);
    check("user.total_tasks_completed = 18446744073709551615", true);
    check("user.total_tasks_completed > 18446744073709551615", false);
    check("environment.level = -2.5", true);
    check("environment.level < -2.499999", true);
    check("environment.endless > 1000000000000", true);
}

#[test]
fn texts_flags_and_facts_alone() {
    check("task.urgency_level = high", true);
    check("task.urgency_level = 'high'", true);
    check("task.urgency_level = \"High\"", false);
    check("task.urgency_level != low", true);
    check("environment.stage = 'pre prod'", true);
    check("session.yes", true);
    check("session.no", false);
    check("session.no = false", true);
    check("session.yes != false", true);
    check("signals.seen", true);
    check("not task.has_urgency_keywords", true);
    check("environment.stage", false);
    check("environment.stage = 7", false);
    check("environment.stage != 7", true);
    check("environment.stage < 7", false);
    check("environment.level = true", false);
}

#[test]
fn not_binds_closest_then_and() {
    check("session.yes or session.yes and session.no", true);
    check("(session.yes or session.yes) and session.no", false);
    check("not session.yes or session.yes", true);
    check("not (session.yes or session.yes)", false);
    check("not not session.yes", true);
    check("not session.no and session.yes", true);
    check("  ((session.yes))  and( not(session.no) )  ", true);
    check("session.no or session.no or session.yes", true);
    check("session.yes and session.yes and session.no", false);
    check("user.recent_error_count >= 3 or user.reputation_score < 0.1 and session.no", true);
}

#[test]
fn tests_of_what_is_not_known_fail() {
    for asks in ["= 1", "!= 1", "< 1", "<= 1", "> 1", ">= 1", "= x", "!= x", "= true", "!= true", ""] {
        check(&format!("environment.unheard {asks}"), false);
        check(&format!("not (environment.unheard {asks})"), true);
    }
    check("environment.nan < 1", false);
    check("environment.nan != 1", false);
}

/// What is wrong with a condition: the code, the words and the hint hold all these.
#[track_caller]
fn check_fault(source: &str, expected: &[&str]) {
    let faults = match Condition::read(source) {
        Ok(condition) => condition.faults(&Scope::Beside(&["high_error_rate", "seen"])),
        Err(fault) => vec![fault],
    };
    let [fault] = faults.as_slice() else { panic!("{source}: {faults:?}") };
    let told =
        format!("{} {} {}", fault.code.name(), fault.message, fault.hint.as_deref().unwrap_or_default());
    for part in expected {
        assert!(told.contains(part), "{part:?} in {told:?}");
    }
}

#[test]
fn syntax_errors_say_where_and_what() {
    for (source, expected) in [
        ("", &["bad_condition", "it ends where a fact is missing, at character 1"][..]),
        ("session.a and", &["it ends where a fact is missing, at character 14"]),
        ("session.a >=", &["it ends where a value is missing, at character 13"]),
        ("(session.a", &["it ends where `)` is missing"]),
        ("session.a)", &["found `)`, at character 10"]),
        ("()", &["expected a fact, found `)`, at character 2"]),
        ("(session.a session.b)", &["expected `and`, `or` or `)`, found `session.b`, at character 12"]),
        ("session.a session.b", &["expected `and`, `or` or the end, found `session.b`"]),
        ("session.a AND session.b", &["found `AND`", "did you mean `and`?"]),
        ("session.a adn session.b", &["did you mean `and`?"]),
        ("and session.a", &["expected a fact, found `and`, at character 1"]),
        ("true", &["expected a fact, found `true`"]),
        ("0.8 <= user.reputation_score", &["found a number, at character 1", "write the fact first"]),
        ("session.a == 1", &["`==` means nothing here, at character 11", "write `=`"]),
        ("session.a && session.b", &["write `and`"]),
        ("session.a || session.b", &["write `or`"]),
        ("!session.a", &["write `not`"]),
        ("session.a <> 1", &["write `!=`"]),
        ("session.a = 1 + 1", &["`+` means nothing here"]),
        ("session.é = «x»", &["`«` means nothing here, at character 13", "put texts in quotes"]),
        ("session.a = 'x", &["never closed, at character 13", "close it with '"]),
        ("session.a = 1e3", &["`1e3` is no number", "no exponent"]),
        ("session.a = 1.2.3", &["`1.2.3` is no number"]),
        ("session.a = 0.1234567", &["at most 6 decimals"]),
        ("session.a = 1.", &["`1.` is no number"]),
        ("session.a = -", &["`-` is no number"]),
        ("session.a = 99999999999999999999999999999999999999999", &["is no number"]),
        ("session.a < high", &["only numbers have an order", "compare it by = or !="]),
        ("session.a < true", &["only numbers have an order"]),
        ("session.a = and", &["expected a value, found `and`"]),
        ("session.a = (1)", &["expected a value, found `(`"]),
        ("session.a = session.b", &["not with another fact", "write 'session.b' if it is a text"]),
        ("session.a < < 1", &["expected a value, found a comparison"]),
    ] {
        check_fault(source, expected);
    }
}

#[test]
fn unknown_facts_and_wrong_kinds_name_what_is_near() {
    for (source, expected) in [
        ("user.reputation_scor >= 0.8", &["dangling_reference", "did you mean `user.reputation_score`?"][..]),
        ("session.a and usr.reputation_score > 1", &["at character 15", "`user.reputation_score`?"]),
        ("reputation_score >= 0.8", &["did you mean `user.reputation_score`?"]),
        ("user.age > 3", &["there is no fact `user.age`", "known under user.: reputation_score"]),
        ("weather.sunny", &["facts begin with user."]),
        ("environment.", &["there is no fact `environment.`"]),
        ("signals.high_eror_rate", &["dangling_reference", "did you mean `high_error_rate`?"]),
        ("signals.nothing_like_it", &["define it under `signals`"]),
        ("user.reputation_score", &["bad_condition", "is a number", "compare it with one"]),
        ("user.reputation_score = high", &["is a number"]),
        ("task.urgency_level >= 2", &["is a text", "= high"]),
        ("task.urgency_level", &["is a text"]),
        ("task.has_urgency_keywords = 1", &["is true or false"]),
        ("signals.seen = yes", &["is true or false"]),
    ] {
        check_fault(source, expected);
    }
    let asks_another = Condition::read("signals.seen").unwrap().faults(&Scope::Signal);
    assert!(asks_another.iter().any(|fault| fault.message.contains("a signal cannot ask for a signal")));
    let two = Condition::read("usr.a or not usr.b").unwrap().faults(&Scope::Beside(&[]));
    assert_eq!(two.len(), 2, "all faults are told: {two:?}");
}

#[test]
fn length_and_depth_are_bounded() {
    let nested = |depth: usize| format!("{}session.a{}", "(".repeat(depth), ")".repeat(depth));
    assert!(Condition::read(&nested(32)).is_ok());
    check_fault(&nested(33), &["more than 32 parts within each other, at character 34"]);
    check_fault(&format!("{}session.a", "not ".repeat(40)), &["more than 32 parts"]);
    let long = vec!["session.a"; 120].join(" or ");
    assert!(Condition::read(&long).is_ok(), "a long chain is flat");
    check_fault(&"session.a or ".repeat(200), &["it has 2600 bytes; the most is 2000"]);
}
