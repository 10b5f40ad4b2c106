//! Which points and stretches of time does it name?

mod lexicon;
mod scene;
mod series;
mod piece;
mod zones;
mod clock;
mod parts;
mod dates;
mod numeric;
mod duration;
mod turns;
mod nth;
mod holidays;
mod phrase;
mod ranges;
mod bounds;

use self::piece::Piece;
use self::scene::Scene;
use self::series::{Series, Stretch};
use super::calendar::{Civil, Date, Grain, Zone};
use super::{Mention, Setting, Tokens, Value};

/// A point or a stretch of time as it was named, and what it comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Time {
    /// Where what was named begins.
    pub start: Civil,
    /// Where it ends: the first second that is no longer in it.
    pub end: Civil,
    /// How finely it was told.
    pub grain: Grain,
    /// Whether the time itself was meant, or what lies before or after it.
    pub bound: Bound,
    /// What was named, and what had to be filled in.
    pub said: Said,
    /// The holiday, where one was named.
    pub holiday: Option<&'static str>,
    /// The other reading, where it can be read in two ways: 03/04 is in March or in April.
    pub other: Option<Box<Time>>,
    series: Series,
    zone: Option<Zone>,
}

/// Which side of a time was meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Bound {
    /// The time itself.
    At,
    /// It, or later: since, from.
    From,
    /// Later than it.
    After,
    /// It, or earlier: until.
    Until,
    /// Earlier than it.
    Before,
    /// From now on, and at its end at the latest.
    By,
}

/// What was named of a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// A day, or something longer than a day.
    pub date: bool,
    /// The year, so that the day is sure; otherwise the next such day was taken.
    pub year: bool,
    /// The time of day.
    pub clock: Clock,
}

/// How a time of day was named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Clock {
    /// Not at all.
    #[default]
    Unsaid,
    /// As a part of the day: in the morning.
    Part,
    /// As an hour of twelve, morning or evening not told; the next one was taken.
    Twelve,
    /// So that it is sure: 3 pm, 15:30, noon.
    Full,
}

impl Clock {
    /// What two words together say: with a part of the day, an hour of twelve is sure.
    fn with(self, other: Clock) -> Clock {
        match (self, other) {
            (Clock::Part, Clock::Twelve) | (Clock::Twelve, Clock::Part) => Clock::Full,
            _ => self.max(other),
        }
    }
}

/// The hour at which the second half of a day begins, as [`Time::clock`] writes it.
const NOON: &str = "12:00";
const HALF_DAY_HOURS: i64 = 12;

impl Time {
    /// The first moment that is meant; nothing where it is open.
    pub fn from(&self) -> Option<Civil> {
        match self.bound {
            Bound::At | Bound::From => Some(self.start),
            Bound::After => Some(self.stretch().close()),
            Bound::Until | Bound::Before | Bound::By => None,
        }
    }

    /// The moment at which what is meant is over; nothing where it is open.
    pub fn to(&self) -> Option<Civil> {
        match self.bound {
            Bound::At | Bound::By => Some(self.end),
            Bound::Until => Some(self.stretch().close()),
            Bound::Before => Some(self.start),
            Bound::From | Bound::After => None,
        }
    }

    /// The day it falls on, where one was named.
    pub fn date(&self) -> Option<Date> {
        self.said.date.then_some(self.start.date)
    }

    /// The time of day as `15:30`, where one was named.
    pub fn clock(&self) -> Option<String> {
        (self.said.clock >= Clock::Twelve).then(|| self.start.clock())
    }

    /// The same words in a sentence about the past: the latest such day instead of the next one.
    #[must_use]
    pub fn latest(&self, setting: &Setting) -> Time {
        let found =
            setting.now.and_then(|now| resolve(&self.series, self.zone, setting, now, Series::latest));
        let other = self.other.as_ref().map(|other| Box::new(other.latest(setting)));
        match found {
            Some(found) => Time { start: found.start, end: found.end, other, ..self.clone() },
            None => self.clone(),
        }
    }

    /// The same in the half of the day that is meant, if the words tell an hour of twelve alone.
    #[must_use]
    pub fn in_half(&self, after_noon: bool) -> Time {
        let is_after = self.start.clock().as_str() >= NOON;
        let hours = match (self.said.clock == Clock::Twelve, is_after, after_noon) {
            (true, true, false) => -HALF_DAY_HOURS,
            (true, false, true) => HALF_DAY_HOURS,
            _ => return self.clone(),
        };
        let moved = |at: Civil| at.plus(hours, Grain::Hour).unwrap_or(at);
        Time { start: moved(self.start), end: moved(self.end), ..self.clone() }
    }

    /// The same time of day on the day of another.
    #[must_use]
    pub fn on_day_of(&self, day: &Time) -> Time {
        let said = Said { date: true, year: day.said.year, ..self.said };
        Time { start: self.start.on(day.start.date), end: self.end.on(day.start.date), said, ..self.clone() }
    }

    /// The same as the last day of a stretch of days: the end of the month.
    #[must_use]
    pub fn last_day(&self) -> Time {
        let last = self.end.plus(-1, Grain::Day).filter(|last| *last > self.start);
        last.map_or_else(|| self.clone(), |start| Time { start, ..self.clone() })
    }

    fn stretch(&self) -> Stretch {
        Stretch { start: self.start, end: self.end, grain: self.grain }
    }

    fn new(piece: Piece, bound: Bound, scene: &Scene<'_>) -> Option<Time> {
        let Piece { series, said, zone, holiday, other, fixed, .. } = piece;
        if scene.setting.now.is_none() && said.date && !(fixed && said.year) {
            return None;
        }
        let read = |series: Series, other| {
            let found = resolve(&series, zone, scene.setting, scene.now, Series::coming)?;
            let Stretch { start, end, grain } = found;
            Some(Time { start, end, grain, bound, said, holiday, other, series, zone })
        };
        let other = other.and_then(|other| read(other, None)).map(Box::new);
        read(series, other)
    }
}

/// The occurrence that is meant, on the clock of the speaker.
fn resolve(
    series: &Series,
    zone: Option<Zone>,
    setting: &Setting,
    now: Civil,
    which: impl Fn(&Series, Civil) -> Option<Stretch>,
) -> Option<Stretch> {
    let Some(zone) = zone else { return which(series, now) };
    let found = which(series, now.between(setting.zone, zone)?)?;
    let here = |at: Civil| at.between(zone, setting.zone);
    // Whoever names a zone means a moment, not an hour.
    let hour = found.grain == Grain::Hour && found.start.plus(1, Grain::Hour) == Some(found.end);
    let end = if hour { found.start.plus(1, Grain::Minute)? } else { found.end };
    Some(Stretch { start: here(found.start)?, end: here(end)?, grain: found.grain.min(Grain::Minute) })
}

/// Adds the times that a text names, the longest at each place.
pub(super) fn find(tokens: &Tokens<'_>, setting: &Setting, found: &mut Vec<Mention>) {
    let Some(scene) = Scene::new(tokens, setting) else { return };
    let mut at = 0;
    while at < tokens.len() {
        at = match time_at(&scene, at) {
            Some((Some(time), latent, next)) if next > at => {
                found.push(Mention { span: tokens.span(at, next), value: Value::Time(time), latent });
                next
            }
            // Without a clock nobody knows which day that is; its parts are no times either.
            Some((None, _, next)) if next > at && setting.now.is_none() => next,
            _ => at + 1,
        };
    }
}

fn time_at(scene: &Scene<'_>, at: usize) -> Option<(Option<Time>, bool, usize)> {
    if !phrase::may_begin(scene, at) {
        return None;
    }
    let (piece, bound, next) = bounds::at(scene, at)?;
    let latent = piece.latent;
    Some((Time::new(piece, bound, scene), latent, next))
}

#[cfg(test)]
mod tests;
