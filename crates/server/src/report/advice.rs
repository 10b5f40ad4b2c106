//! What would make a catalog easier to decide by, in a terminal?

use std::fmt::Write as _;

use waypost::learn::{Advice, Few, Form, Suggestion};

use super::Paint;
use super::paint::tame;

/// What would make a catalog easier to decide by, so many lines of each kind at most; nothing where all is well.
pub fn advice(advice: &Advice, lines_max: usize, paint: Paint) -> String {
    let alike = advice.alike.iter().map(|alike| {
        let (one, two) = (paint.strong(&tame(&alike.one)), paint.strong(&tame(&alike.two)));
        format!("{one} and {two}: {:.2} of what one's examples say goes to the other", alike.shared)
    });
    let misplaced = advice.misplaced.iter().map(|example| {
        let (route, fits) = (tame(&example.route), paint.strong(&tame(&example.fits)));
        format!("“{}” of {route} fits {fits} ({:.2})", tame(&example.example), example.belief)
    });
    let few = advice.few.iter().map(|few| lacking(few, paint));
    let mut shown = String::new();
    list(
        &mut shown,
        "Hard to tell apart: say the difference in their descriptions, or give each an example that the other cannot mean",
        alike.collect(),
        lines_max,
        paint,
    );
    list(
        &mut shown,
        "Examples that fit another route better: move them, or say more in them",
        misplaced.collect(),
        lines_max,
        paint,
    );
    list(&mut shown, "Few examples: five or more decide better", few.collect(), lines_max, paint);
    shown
}

fn lacking(few: &Few, paint: Paint) -> String {
    let count = match few.examples {
        0 => "no example".to_owned(),
        1 => "one example".to_owned(),
        count => format!("{count} examples"),
    };
    let missing: Vec<&str> = few.missing.iter().copied().map(Form::name).collect();
    let forms = if missing.is_empty() || few.examples == 0 {
        String::new()
    } else {
        format!("; none is {}", missing.join(", or "))
    };
    format!("{} has {count}{forms}", paint.strong(&tame(&few.route)))
}

/// Which logged messages are worth adding.
pub fn suggestions(suggestions: &[Suggestion], asked: usize, paint: Paint) -> String {
    if suggestions.is_empty() {
        return format!(
            "{asked} messages, and none of them would teach much: each is decided already, or about something else.\n"
        );
    }
    let mut shown = format!(
        "{}\n",
        paint.strong("Worth adding, the most doubtful first; add each where it belongs, if it belongs there")
    );
    for suggestion in suggestions {
        let route = paint.strong(&tame(&suggestion.route));
        let instead = suggestion.instead.as_deref().map_or_else(|| "none of the routes".to_owned(), tame);
        // Writing to a String cannot fail.
        let _ = writeln!(shown, "  “{}”", tame(&suggestion.text));
        let _ = writeln!(
            shown,
            "      {route} {:.2}, {} {:.2}",
            suggestion.belief,
            paint.faint(&instead),
            suggestion.instead_belief
        );
    }
    shown
}

fn list(shown: &mut String, title: &str, lines: Vec<String>, lines_max: usize, paint: Paint) {
    if lines.is_empty() {
        return;
    }
    let _ = writeln!(shown, "\n{}", paint.strong(title));
    let more = lines.len().saturating_sub(lines_max);
    for line in lines.into_iter().take(lines_max) {
        let _ = writeln!(shown, "  {line}");
    }
    if more > 0 {
        let _ = writeln!(shown, "  {}", paint.faint(&format!("and {more} more")));
    }
}
