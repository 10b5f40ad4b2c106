//! Which time of day: 3 pm, 15:30, half past eleven, noon?

use super::super::calendar::Grain;
use super::Clock as ClockSaid;
use super::lexicon::Word;
use super::piece::{Kind, Piece};
use super::scene::Scene;
use super::series::Cycle;
use super::zones;

/// What a clock shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Face {
    pub hour: i64,
    pub minute: i64,
    pub second: i64,
    pub grain: Grain,
    /// Whether the half of the day is not told.
    pub either: bool,
    /// Whether it is written as no plain number is.
    pub sure: bool,
}

impl Face {
    fn new(hour: i64, minute: i64, grain: Grain) -> Face {
        Face { hour, minute, second: 0, grain, either: (1..12).contains(&hour), sure: false }
    }

    fn is_possible(self) -> bool {
        (0..24).contains(&self.hour) && (0..60).contains(&self.minute) && (0..60).contains(&self.second)
    }

    /// The same in the morning or after noon.
    pub fn of_half(self, after_noon: bool) -> Option<Face> {
        let hour = match self.hour {
            12 => 12 * i64::from(after_noon),
            hour @ 0..12 => hour + 12 * i64::from(after_noon),
            hour if after_noon => hour,
            _ => return None,
        };
        Some(Face { hour, either: false, sure: true, ..self })
    }

    /// Seconds since the day began.
    pub fn second_of_day(self) -> i64 {
        self.hour * 3600 + self.minute * 60 + self.second
    }

    /// So many minutes later, or earlier.
    fn plus(self, minutes: i64) -> Face {
        let total = (self.hour * 60 + self.minute + minutes).rem_euclid(1440);
        Face { hour: total / 60, minute: total % 60, grain: Grain::Minute, ..self }
    }

    pub fn piece(self) -> Piece {
        let cycle = Cycle::Clock { second: self.second_of_day(), grain: self.grain, either: self.either };
        let mut piece = Piece::cycle(Kind::Clock, cycle).latent(!self.sure);
        if self.either {
            piece.said.clock = ClockSaid::Twelve;
        }
        piece
    }
}

/// The time of day at a place, with its zone.
pub(super) fn at(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    let (face, next) = face(scene, at)?;
    let mut piece = face.piece();
    let Some((zone, after)) = zones::at(scene, next) else { return Some((piece, next)) };
    piece.zone = Some(zone);
    piece.latent = false;
    Some((piece, after))
}

/// What the clock shows, without a zone.
pub(super) fn face(scene: &Scene<'_>, at: usize) -> Option<(Face, usize)> {
    past(scene, at).or_else(|| plain(scene, at))
}

/// An hour, with minutes or without, and what tells the half of the day.
fn plain(scene: &Scene<'_>, at: usize) -> Option<(Face, usize)> {
    let (face, next) = named(scene, at).or_else(|| figures(scene, at)).or_else(|| words(scene, at))?;
    if !face.is_possible() {
        return None;
    }
    let (mut face, mut next) = (face, next);
    if scene.any(next, &["o'clock", "oclock", "o’clock"]) {
        face.sure = true;
        next += 1;
    } else if scene.all(next, &["o", "clock"]).is_some() || scene.all(next, &["o", "'", "clock"]).is_some() {
        face.sure = true;
        next += if scene.is(next + 1, "clock") { 2 } else { 3 };
    }
    if scene.is(next, "ish") || scene.all(next, &["-", "ish"]).is_some() {
        face.sure = true;
        next += 1 + usize::from(scene.is(next, "-"));
    }
    match half_of_day(scene, next) {
        Some((after_noon, after)) if face.hour != 0 || !after_noon => {
            Some((face.of_half(after_noon)?, after))
        }
        _ => Some((face, next)),
    }
}

fn named(scene: &Scene<'_>, at: usize) -> Option<(Face, usize)> {
    let at = at + usize::from(scene.any(at, &["12", "twelve"]));
    let hour = match scene.word(at)? {
        Word::Noon => 12,
        Word::Midnight => 0,
        _ => return None,
    };
    Some((Face { either: false, sure: true, ..Face::new(hour, 0, Grain::Hour) }, at + 1))
}

/// 15:30, 9:01:10, 16h00, 15h, 3.30 pm, 330 pm, 3.
fn figures(scene: &Scene<'_>, at: usize) -> Option<(Face, usize)> {
    let (hour, count) = scene.figures(at)?;
    let joined = |place: usize| scene.tokens.is_joined(place);
    if count > 2 {
        let mut face = Face::new(hour / 100, hour % 100, Grain::Minute);
        face.either &= !(count == 4 && hour < 1000);
        return (hour >= 100 && joins_nothing(scene, at)).then_some((face, at + 1));
    }
    let padded = count == 2 && hour < 10;
    let minutes =
        scene.figures(at + 2).filter(|(_, count)| *count == 2 && joined(at + 2)).map(|(value, _)| value);
    if joined(at + 1) && scene.any(at + 1, &[":", "h"]) {
        if let Some(minute) = minutes {
            let mut face = Face { sure: true, ..Face::new(hour, minute, Grain::Minute) };
            face.either &= !padded && scene.is(at + 1, ":");
            return Some(with_seconds(scene, face, at + 3));
        }
        if scene.is(at + 1, "h") {
            return Some((Face { sure: true, either: false, ..Face::new(hour, 0, Grain::Minute) }, at + 2));
        }
    }
    let dotted = joined(at + 1) && scene.is(at + 1, ".") && half_of_day(scene, at + 3).is_some();
    if let (Some(minute), true) = (minutes, dotted) {
        return Some((Face::new(hour, minute, Grain::Minute), at + 3));
    }
    let apart = (1..=24).contains(&hour) && scene.is_plain(at) && joins_nothing(scene, at + 1);
    if let (Some((minute @ 0..60, 2)), true) = (scene.figures(at + 1), apart) {
        return Some((Face::new(hour, minute, Grain::Minute), at + 2));
    }
    if let Some((minute @ 10..60, next)) = scene.small(at + 1).filter(|_| !scene.is_figures(at + 1)) {
        return scene.is_plain(at).then_some((Face::new(hour, minute, Grain::Minute), next));
    }
    let counts = scene.unit(at + 1).is_some();
    (joins_nothing(scene, at) && !counts).then_some((Face::new(hour, 0, Grain::Hour), at + 1))
}

fn with_seconds(scene: &Scene<'_>, face: Face, at: usize) -> (Face, usize) {
    let joined = scene.tokens.is_joined(at) && scene.tokens.is_joined(at + 1);
    match scene.figures(at + 1) {
        Some((second @ 0..60, 2)) if joined && scene.is(at, ":") => {
            let fraction =
                scene.is(at + 2, ".") && scene.tokens.is_joined(at + 3) && scene.is_figures(at + 3);
            (Face { second, grain: Grain::Second, ..face }, if fraction { at + 4 } else { at + 2 })
        }
        _ => (face, at),
    }
}

/// Whether figures may be an hour: nothing is joined to them but what tells the half of the day.
fn joins_nothing(scene: &Scene<'_>, at: usize) -> bool {
    scene.is_plain(at)
        || (scene.tokens.is_joined(at + 1)
            && (half_of_day(scene, at + 1).is_some() || scene.any(at + 1, &["ish", "o'clock"])))
}

/// Ten thirty, twelve oh three, eight.
fn words(scene: &Scene<'_>, at: usize) -> Option<(Face, usize)> {
    let Word::Count(hour @ 1..=12) = scene.word(at)? else { return None };
    let next = scene.hyphen(at + 1);
    if scene.any(next, &["oh", "o"]) {
        let after = scene.hyphen(next + 1);
        if let Some(Word::Count(minute @ 1..=9)) = scene.word(after) {
            return Some((Face::new(hour, minute, Grain::Minute), after + 1));
        }
    }
    match scene.small(next) {
        Some((minute @ 10..60, after)) if !scene.is_figures(next) && hour < 13 => {
            Some((Face::new(hour, minute, Grain::Minute), after))
        }
        _ => scene.unit(at + 1).is_none().then_some((Face::new(hour, 0, Grain::Hour), at + 1)),
    }
}

/// Half past eleven, a quarter to 8, 20 past 3, five minutes to noon.
fn past(scene: &Scene<'_>, at: usize) -> Option<(Face, usize)> {
    let start = scene.skip(at, &["a"]);
    if let Some(found) = half_hour(scene, start) {
        return Some(found);
    }
    let (minutes, next, sure) = match scene.tokens.lower(start) {
        "half" => (30, start + 1, true),
        "quarter" => (15, start + 1, true),
        _ => {
            let (minutes, next) = scene.small(at)?;
            let unit = scene.any(next, &["minute", "minutes", "min", "mins"]);
            (minutes, next + usize::from(unit), unit)
        }
    };
    let (minutes, sure) = match scene.tokens.lower(next) {
        "past" => (minutes, true),
        "after" => (minutes, sure),
        "to" | "till" | "before" => (-minutes, sure && minutes != 30),
        "of" if sure && minutes == 15 => (-minutes, true),
        _ => return None,
    };
    let (face, after) = plain(scene, next + 1)?;
    let bare = face.grain == Grain::Hour && !scene.is(next + 2, ":");
    let sure = face.sure || sure;
    (bare && minutes != 0 && minutes.abs() < 60).then_some((Face { sure, ..face.plus(minutes) }, after))
}

/// Half nine, as the British say it: half an hour past nine.
fn half_hour(scene: &Scene<'_>, at: usize) -> Option<(Face, usize)> {
    let Some(Word::Count(1..=12)) = scene.is(at, "half").then(|| scene.word(at + 1)).flatten() else {
        return None;
    };
    let counts = scene.unit(at + 2).is_some() || scene.small(scene.hyphen(at + 2)).is_some();
    let (face, after) = plain(scene, at + 1).filter(|(face, _)| face.grain == Grain::Hour && !counts)?;
    Some((Face { minute: 30, grain: Grain::Minute, ..face }, after))
}

/// Which half of the day is told, where it is: `true` after noon. "a" and "p" alone only joined to the figures.
pub(super) fn half_of_day(scene: &Scene<'_>, at: usize) -> Option<(bool, usize)> {
    if scene.all(at, &["in", "the"]).is_some() && scene.any(at + 2, &["am", "pm"]) {
        return Some((scene.is(at + 2, "pm"), at + 3));
    }
    match scene.tokens.lower(at) {
        "am" => Some((false, at + 1)),
        "pm" => Some((true, at + 1)),
        letter @ ("a" | "p") => {
            let after_noon = letter == "p";
            if scene.is(at + 1, "m") {
                return Some((after_noon, at + 2));
            }
            if scene.is(at + 1, ".") && scene.is(at + 2, "m") {
                return Some((
                    after_noon,
                    at + 3 + usize::from(scene.is(at + 3, ".") && scene.tokens.is_joined(at + 3)),
                ));
            }
            (at > 0 && scene.tokens.is_joined(at)).then_some((after_noon, at + 1))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;

    #[test]
    fn times_of_day_are_told() {
        check("3pm", &["3pm: 2027-03-02T15:00 hour"]);
        check("at 7", &["at 7: 2027-03-02T19:00 hour"]);
        check("half past 11 in the morning", &["half past 11 in the morning: 2027-03-02T11:30 minute"]);
        check("quarter to 8", &["quarter to 8: 2027-03-02T19:45 minute"]);
        check("ten minutes to noon", &["ten minutes to noon: 2027-03-02T11:50 minute"]);
        check("20:30", &["20:30: 2027-03-02T20:30 minute"]);
        check("at 9 a.m. sharp", &["at 9 a.m. sharp: 2027-03-03T09:00 hour"]);
        check("11:05:20", &["11:05:20: 2027-03-02T11:05:20 second"]);
        check("16h45", &["16h45: 2027-03-02T16:45 minute"]);
        check("midnight", &["midnight: 2027-03-03 hour"]);
        check("seven o'clock", &["seven o'clock: 2027-03-02T19:00 hour"]);
        check("3.30 pm", &["3.30 pm: 2027-03-02T15:30 minute"]);
        check("at half nine", &["at half nine: 2027-03-02T09:30 minute"]);
    }

    #[test]
    fn a_bare_number_need_not_be_meant() {
        check("six thirty", &["~six thirty: 2027-03-02T18:30 minute"]);
        check("give me 7", &["~7: 2027-03-02T19:00 hour"]);
        check(
            "room 101 at 12 main street",
            &["~101: 2027-03-02T13:01 minute", "~at 12: 2027-03-02T12:00 hour"],
        );
        check("200k nets", &[]);
        check("$5 each", &[]);
        check("5 to 10 people", &["~5 to 10: 2027-03-02T09:55 minute"]);
        check("1,000 of them", &[]);
    }
}
