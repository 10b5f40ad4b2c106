//! Which words speak of time, and of what?

use super::super::calendar::Grain;
use super::super::slips::is_slip;

/// What a word of time says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// A small number.
    Count(i64),
    /// A place in an order; which, the reader of numbers says.
    Place,
    /// A month, from 1; `true` where the word is more often something else.
    Month(i64, bool),
    /// A day of the week, Monday 0; `true` where the word is more often something else.
    Weekday(i64, bool),
    /// A unit of time, and how many of it.
    Unit(Grain, i64),
    /// A day, counted from today.
    Day(i64),
    /// Which one, counted from the one that is on: this 0, next 1, last -1.
    Turn(i64),
    /// A part of the day.
    Part(Part),
    /// A season, from spring.
    Season(usize),
    Weekend,
    Noon,
    Midnight,
    /// Beginning, middle or end.
    Beginning,
    Middle,
    End,
    /// A word that only holds others together, but may begin a time.
    Joint,
}

/// A part of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Morning,
    Afternoon,
    Evening,
    Night,
    Lunch,
    Tonight,
    Breakfast,
    Dinner,
}

use Grain::{Day, Hour, Minute, Month, Quarter, Second, Week, Year};
use Word as W;

/// The words, sorted.
const WORDS: &[(&str, Word)] = &[
    ("@", W::Joint),
    ("a", W::Joint),
    ("about", W::Joint),
    ("after", W::Joint),
    ("afternoon", W::Part(Part::Afternoon)),
    ("afternoons", W::Part(Part::Afternoon)),
    ("an", W::Joint),
    ("any", W::Joint),
    ("anytime", W::Joint),
    ("approximately", W::Joint),
    ("apr", W::Month(4, true)),
    ("april", W::Month(4, false)),
    ("around", W::Joint),
    ("as", W::Joint),
    ("asap", W::Joint),
    ("at", W::Joint),
    ("aug", W::Month(8, false)),
    ("august", W::Month(8, false)),
    ("autumn", W::Season(2)),
    ("before", W::Joint),
    ("beginning", W::Beginning),
    ("between", W::Joint),
    ("bom", W::Joint),
    ("boy", W::Joint),
    ("breakfast", W::Part(Part::Breakfast)),
    ("by", W::Joint),
    ("centuries", W::Unit(Year, 100)),
    ("century", W::Unit(Year, 100)),
    ("closest", W::Joint),
    ("coming", W::Turn(1)),
    ("current", W::Turn(0)),
    ("currently", W::Joint),
    ("day", W::Unit(Day, 1)),
    ("days", W::Unit(Day, 1)),
    ("dec", W::Month(12, false)),
    ("decade", W::Unit(Year, 10)),
    ("decades", W::Unit(Year, 10)),
    ("december", W::Month(12, false)),
    ("dinner", W::Part(Part::Dinner)),
    ("during", W::Joint),
    ("early", W::Beginning),
    ("eight", W::Count(8)),
    ("eighteen", W::Count(18)),
    ("eighteenth", W::Place),
    ("eighth", W::Place),
    ("eighty", W::Count(80)),
    ("eleven", W::Count(11)),
    ("eleventh", W::Place),
    ("end", W::End),
    ("eod", W::Joint),
    ("eom", W::Joint),
    ("eoy", W::Joint),
    ("eve", W::Joint),
    ("evening", W::Part(Part::Evening)),
    ("evenings", W::Part(Part::Evening)),
    ("fall", W::Season(2)),
    ("feb", W::Month(2, false)),
    ("february", W::Month(2, false)),
    ("fifteen", W::Count(15)),
    ("fifteenth", W::Place),
    ("fifth", W::Place),
    ("fifty", W::Count(50)),
    ("first", W::Place),
    ("five", W::Count(5)),
    ("following", W::Turn(1)),
    ("for", W::Joint),
    ("fortnight", W::Unit(Day, 14)),
    ("fortnights", W::Unit(Day, 14)),
    ("forty", W::Count(40)),
    ("four", W::Count(4)),
    ("fourteen", W::Count(14)),
    ("fourteenth", W::Place),
    ("fourth", W::Place),
    ("fri", W::Weekday(4, false)),
    ("friday", W::Weekday(4, false)),
    ("fridays", W::Weekday(4, false)),
    ("from", W::Joint),
    ("h", W::Unit(Hour, 1)),
    ("half", W::Joint),
    ("hour", W::Unit(Hour, 1)),
    ("hours", W::Unit(Hour, 1)),
    ("hr", W::Unit(Hour, 1)),
    ("hrs", W::Unit(Hour, 1)),
    ("immediately", W::Joint),
    ("in", W::Joint),
    ("jan", W::Month(1, false)),
    ("january", W::Month(1, false)),
    ("jul", W::Month(7, false)),
    ("july", W::Month(7, false)),
    ("jun", W::Month(6, false)),
    ("june", W::Month(6, false)),
    ("just", W::Joint),
    ("last", W::Turn(-1)),
    ("late", W::End),
    ("later", W::Joint),
    ("lunch", W::Part(Part::Lunch)),
    ("lunchtime", W::Part(Part::Lunch)),
    ("mar", W::Month(3, false)),
    ("march", W::Month(3, true)),
    ("may", W::Month(5, true)),
    ("mid", W::Middle),
    ("midday", W::Noon),
    ("middle", W::Middle),
    ("midnight", W::Midnight),
    ("min", W::Unit(Minute, 1)),
    ("mins", W::Unit(Minute, 1)),
    ("minute", W::Unit(Minute, 1)),
    ("minutes", W::Unit(Minute, 1)),
    ("mon", W::Weekday(0, false)),
    ("monday", W::Weekday(0, false)),
    ("mondays", W::Weekday(0, false)),
    ("month", W::Unit(Month, 1)),
    ("months", W::Unit(Month, 1)),
    ("morning", W::Part(Part::Morning)),
    ("mornings", W::Part(Part::Morning)),
    ("mth", W::Unit(Month, 1)),
    ("mths", W::Unit(Month, 1)),
    ("next", W::Turn(1)),
    ("night", W::Part(Part::Night)),
    ("nights", W::Part(Part::Night)),
    ("nine", W::Count(9)),
    ("nineteen", W::Count(19)),
    ("nineteenth", W::Place),
    ("ninety", W::Count(90)),
    ("ninth", W::Place),
    ("noon", W::Noon),
    ("nov", W::Month(11, false)),
    ("november", W::Month(11, false)),
    ("now", W::Joint),
    ("nxt", W::Turn(1)),
    ("oct", W::Month(10, false)),
    ("october", W::Month(10, false)),
    ("on", W::Joint),
    ("one", W::Count(1)),
    ("past", W::Turn(-1)),
    ("previous", W::Turn(-1)),
    ("prior", W::Joint),
    ("q", W::Joint),
    ("qtr", W::Unit(Quarter, 1)),
    ("qtrs", W::Unit(Quarter, 1)),
    ("quarter", W::Unit(Quarter, 1)),
    ("quarters", W::Unit(Quarter, 1)),
    ("right", W::Joint),
    ("sat", W::Weekday(5, true)),
    ("saturday", W::Weekday(5, false)),
    ("saturdays", W::Weekday(5, false)),
    ("sec", W::Unit(Second, 1)),
    ("second", W::Place),
    ("seconds", W::Unit(Second, 1)),
    ("secs", W::Unit(Second, 1)),
    ("sep", W::Month(9, false)),
    ("sept", W::Month(9, false)),
    ("september", W::Month(9, false)),
    ("seven", W::Count(7)),
    ("seventeen", W::Count(17)),
    ("seventeenth", W::Place),
    ("seventh", W::Place),
    ("seventy", W::Count(70)),
    ("since", W::Joint),
    ("six", W::Count(6)),
    ("sixteen", W::Count(16)),
    ("sixteenth", W::Place),
    ("sixth", W::Place),
    ("sixty", W::Count(60)),
    ("some", W::Joint),
    ("sometime", W::Joint),
    ("sometimes", W::Joint),
    ("spring", W::Season(0)),
    ("start", W::Beginning),
    ("summer", W::Season(1)),
    ("sun", W::Weekday(6, true)),
    ("sunday", W::Weekday(6, false)),
    ("sundays", W::Weekday(6, false)),
    ("tdy", W::Day(0)),
    ("ten", W::Count(10)),
    ("tenth", W::Place),
    ("the", W::Joint),
    ("third", W::Place),
    ("thirteen", W::Count(13)),
    ("thirteenth", W::Place),
    ("thirtieth", W::Place),
    ("thirty", W::Count(30)),
    ("this", W::Turn(0)),
    ("three", W::Count(3)),
    ("through", W::Joint),
    ("thu", W::Weekday(3, false)),
    ("thur", W::Weekday(3, false)),
    ("thurs", W::Weekday(3, false)),
    ("thursday", W::Weekday(3, false)),
    ("thursdays", W::Weekday(3, false)),
    ("till", W::Joint),
    ("tmr", W::Day(1)),
    ("tmrw", W::Day(1)),
    ("tmw", W::Day(1)),
    ("today", W::Day(0)),
    ("todays", W::Day(0)),
    ("tommorow", W::Day(1)),
    ("tomorrow", W::Day(1)),
    ("tomorrows", W::Day(1)),
    ("tonight", W::Part(Part::Tonight)),
    ("tonite", W::Part(Part::Tonight)),
    ("tue", W::Weekday(1, false)),
    ("tues", W::Weekday(1, false)),
    ("tuesday", W::Weekday(1, false)),
    ("tuesdays", W::Weekday(1, false)),
    ("twelfth", W::Place),
    ("twelve", W::Count(12)),
    ("twentieth", W::Place),
    ("twenty", W::Count(20)),
    ("two", W::Count(2)),
    ("until", W::Joint),
    ("untill", W::Joint),
    ("upcoming", W::Turn(1)),
    ("wed", W::Weekday(2, true)),
    ("wednesday", W::Weekday(2, false)),
    ("wednesdays", W::Weekday(2, false)),
    ("weds", W::Weekday(2, false)),
    ("week", W::Unit(Week, 1)),
    ("weekend", W::Weekend),
    ("weekends", W::Weekend),
    ("weeks", W::Unit(Week, 1)),
    ("winter", W::Season(3)),
    ("within", W::Joint),
    ("wk", W::Unit(Week, 1)),
    ("wkend", W::Weekend),
    ("wks", W::Unit(Week, 1)),
    ("yday", W::Day(-1)),
    ("year", W::Unit(Year, 1)),
    ("years", W::Unit(Year, 1)),
    ("yesterday", W::Day(-1)),
    ("yesterdays", W::Day(-1)),
    ("yr", W::Unit(Year, 1)),
    ("yrs", W::Unit(Year, 1)),
];

/// What a word in small letters says of time. "Today's" says what "today" says.
pub(super) fn word(lower: &str) -> Option<Word> {
    let find = |name: &str| {
        let at = WORDS.binary_search_by(|(word, _)| (*word).cmp(name)).ok()?;
        WORDS.get(at).map(|(_, word)| *word)
    };
    find(lower)
        .or_else(|| find(lower.strip_suffix("'s").or(lower.strip_suffix("’s"))?))
        .or_else(|| misspelt(lower).and_then(find))
}

/// Words of time that a slip is looked for in: long enough that few other words are a slip away.
const LONG: [&str; 15] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "january",
    "february",
    "september",
    "october",
    "november",
    "december",
    "tomorrow",
    "yesterday",
];

/// The word that was meant by one with a slip of the hand, or with one letter that is wrong ("saterday") in a long one.
fn misspelt(lower: &str) -> Option<&'static str> {
    LONG.into_iter().find(|meant| is_slip(lower, meant) || has_one_wrong(lower, meant))
}

/// Shortest word of which one letter may be wrong: "sundry" is no Sunday.
const FORGIVING_LETTERS: usize = 7;

fn has_one_wrong(said: &str, meant: &str) -> bool {
    let wrong = said.bytes().zip(meant.bytes()).filter(|(one, other)| one != other).count();
    said.len() == meant.len() && meant.len() >= FORGIVING_LETTERS && wrong == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sorted_and_found() {
        assert!(WORDS.is_sorted_by(|(one, _), (other, _)| one < other));
        assert_eq!(word("monday's"), Some(Word::Weekday(0, false)));
        assert_eq!(word("xylophone"), None);
    }

    #[test]
    fn slips_of_the_hand_are_forgiven() {
        let check = |said: &str, meant: Option<&str>| assert_eq!(misspelt(said), meant, "{said}");
        check("wednsday", Some("wednesday"));
        check("saterday", Some("saturday"));
        check("tuseday", Some("tuesday"));
        check("febuary", Some("february"));
        check("mondayy", Some("monday"));
        check("tommorrow", Some("tomorrow"));
        check("sundry", None);
        check("sundae", None);
        check("remember", None);
        check("member", None);
    }
}
