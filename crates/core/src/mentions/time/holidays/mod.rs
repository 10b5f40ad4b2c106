//! Which day of the year has that name, in that country?

mod rules;
mod nations;
mod states;
mod church;
mod world;
mod united;
mod sky;
mod moon;
mod faiths;

pub(super) use self::rules::Rule;

use std::collections::HashMap;
use std::sync::LazyLock;

use super::piece::{Kind, Piece};
use super::scene::Scene;
use super::series::{Cycle, Series, Stretch};

/// A name, the countries that mean this day by it (two letters each; none: where no other row fits), and the rule.
/// Names are written without possessives: "mother day" is "Mother's Day" too.
type Row = (&'static str, &'static str, Rule);

/// The tables.
const TABLES: [&[Row]; 6] =
    [nations::ROWS, states::ROWS, church::ROWS, world::ROWS, united::ROWS, faiths::ROWS];

/// The rows by the first words of their names: every word of a text is looked up here.
static BY_FIRST_WORD: LazyLock<HashMap<&'static str, Vec<&'static Row>>> = LazyLock::new(|| {
    let mut rows: HashMap<&'static str, Vec<&'static Row>> = HashMap::new();
    for row in TABLES.into_iter().flatten() {
        rows.entry(row.0.split(' ').next().unwrap_or(row.0)).or_default().push(row);
    }
    rows
});

/// Whether the name of a holiday may begin with a word.
pub(super) fn may_begin(lower: &str) -> bool {
    lower.len() > 1 && stems(lower).into_iter().flatten().any(|stem| BY_FIRST_WORD.contains_key(stem))
}

/// A word as names are written, and without the ending of a possessive or a plural.
fn stems(lower: &str) -> [Option<&str>; 2] {
    let possessive = lower.strip_suffix("'s").or_else(|| lower.strip_suffix("’s"));
    [Some(lower), possessive.or_else(|| lower.strip_suffix('s'))]
}

/// The holiday at a place, by its longest name; of several that share it the one of the setting's country.
pub(super) fn at(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    if !scene.names_holiday(at) {
        return None;
    }
    let country = scene.setting.country.as_deref().unwrap_or_default();
    let mut best: Option<(&'static Row, usize, bool)> = None;
    let lower = scene.tokens.lower(at);
    for stem in stems(lower).into_iter().flatten() {
        for row in BY_FIRST_WORD.get(stem).into_iter().flatten().copied() {
            let here = !row.1.is_empty() && row.1.split(' ').any(|code| code == country);
            let Some(next) = ends(scene, at, row.0).filter(|_| here || row.1.is_empty()) else { continue };
            if best.is_none_or(|(_, end, old)| next > end || (next == end && here && !old)) {
                best = Some((row, next, here));
            }
        }
    }
    let ((name, _, rule), next, _) = best?;
    let mut piece = Piece::new(Kind::Day, Series::Cycle(Cycle::Holiday(rule)));
    piece.holiday = Some(name);
    let next = if name.ends_with("day") { next } else { scene.skip(next, &["day"]) };
    match super::parts::weekend(scene, next) {
        Some(end) if rule.has_long_weekend() => {
            Some((Piece { series: Series::Cycle(Cycle::LongWeekend(rule)), ..piece }, end))
        }
        _ => Some((piece, next)),
    }
}

/// The place after a name, where it stands there.
fn ends(scene: &Scene<'_>, at: usize, name: &str) -> Option<usize> {
    let mut next = at;
    for word in name.split(' ') {
        if next > at {
            next = scene.skip(scene.skip(next, &["'", "’", "."]), &["-"]);
        }
        let lower = scene.tokens.lower(next);
        stems(lower).into_iter().flatten().any(|stem| stem == word).then_some(())?;
        next += 1;
    }
    Some(next)
}

/// From the evening before the free days to the end of the holiday, or of the Sunday after it.
pub(super) fn long_weekend(day: Stretch) -> Option<Stretch> {
    use super::super::calendar::Grain;
    let (back, days) = match day.start.date.weekday() {
        0 => (3, 4),
        4 => (1, 4),
        _ => return None,
    };
    let start = day.start.plus(-back, Grain::Day)?;
    Some(Stretch {
        start: start.plus(18, Grain::Hour)?,
        end: start.plus(days, Grain::Day)?,
        grain: Grain::Hour,
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::*;

    #[test]
    fn every_rule_has_days() {
        for (name, _, rule) in TABLES.into_iter().flatten() {
            let years = (2000..2030).filter(|year| rule.of_year(*year).is_some()).count();
            assert!(years > 0, "{name} never comes");
        }
    }

    #[test]
    fn holidays_by_name() {
        check("fourth of july", &["fourth of july: 2027-07-04 day"]);
        check("thanksgiving 2028", &["thanksgiving 2028: 2028-11-23 day"]);
        check("mother's day", &["mother's day: 2027-05-09 day"]);
        check("next halloween", &["next halloween: 2027-10-31 day"]);
        check("memorial day weekend", &["memorial day weekend: 2027-05-28T18:00/2027-06-01 hour"]);
        check("the closest christmas to today", &["the closest christmas to today: 2026-12-25 day"]);
        check("good friday", &["good friday: 2027-03-26 day"]);
        check("world water day", &["world water day: 2027-03-22 day"]);
        check("tax day 2028", &["tax day 2028: 2028-04-18 day"]);
        check("eid al-fitr 2028", &["eid al-fitr 2028: 2028-02-26 day"]);
        check("diwali", &["diwali: 2027-10-29 day"]);
        check("the day before christmas", &["the day before christmas: 2027-12-24 day"]);
        check("earth hour 2028", &["earth hour 2028: 2028-03-25T20:30/2028-03-25T21:30 minute"]);
    }
}
