//! Is the default catalog of use? Everyday requests find their route, and small talk is left alone.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use waypost::{Message, Outcome, Router};

fn router() -> Router {
    Router::from_catalog("starter").unwrap()
}

#[test]
fn everyday_requests_find_their_route() {
    let rows = [
        ("Can you summarise the article below in two sentences?", "summarize"),
        ("I need a quick recap of yesterday's meeting", "summarize"),
        ("tl;dr please", "summarize"),
        ("what's 18 percent of 92", "calculate"),
        ("How many grams are in a pound", "calculate"),
        ("12 * (3 + 4)", "calculate"),
        ("remind me to water the plants at 6", "schedule"),
        ("Cancel my call with Ana", "schedule"),
        ("is my afternoon free tomorrow?", "schedule"),
        ("my python script keeps crashing on startup", "debug"),
        ("The server doesn't respond since the deployment", "debug"),
        ("here is the stack trace", "debug"),
        ("implement quicksort in Rust", "code"),
        ("Add unit tests for the parser", "code"),
        ("Please write an email to my boss asking for Friday off", "write"),
        ("Write an email to cancel the meeting", "write"),
        ("Fix the grammar of this letter", "write"),
        ("Don't translate this, just proofread it", "write"),
        ("how would you say 'thank you' in Korean", "translate"),
        ("Turn this paragraph into Spanish", "translate"),
        ("find me a good restaurant near the station", "search"),
        ("What is the latest version of Debian?", "search"),
        ("Please connect me with a real person", "help"),
        ("/help", "help"),
    ];
    for (message, route) in rows {
        let answer = router().route(&Message::from(message)).unwrap();
        assert_eq!(answer.route.as_deref(), Some(route), "{message}: {:#?}", answer.routes);
    }
}

#[test]
fn small_talk_is_left_alone() {
    for message in [
        "hi there",
        "tell me a joke",
        "Call me at 555-1234",
        "I was born 1990-05-12",
        "The score was 3-2",
        "Flights on 2024-05-06 were late",
        "What is happening today?",
        "I wrote a book about Dracula meeting Frankenstein",
        "Remind me of Paris in the spring",
        "I have a panic attack",
        "The exception proves the rule",
        "Why did my marriage fail?",
        "Why does glass break?",
        "The queue is too long",
        "This skirt is too long for me",
        "Build me a workout program",
        "Review the code of conduct",
        "I live in French Polynesia",
        "Are you good in English?",
        "I work at Google",
        "My job search is hard",
        "What do you know about Rome?",
        "I talk to my manager every day",
        "I love the new summary statistics page",
        "I don't want a summary, just the numbers",
        "I have 99 problems",
        "What should I do in Swift River today?",
        "",
    ] {
        let answer = router().route(&Message::from(message)).unwrap();
        assert_eq!(answer.outcome, Outcome::Abstain, "{message}: {:#?}", answer.routes);
    }
}

#[test]
fn trouble_without_a_subject_is_asked_back() {
    for message in ["I have a problem", "my laptop stopped working", "something is wrong", "I'm stuck"] {
        assert_eq!(router().route(&Message::from(message)).unwrap().outcome, Outcome::Clarify, "{message}");
    }
}
