//! What was said of a time so far, and may another word be added to it?

use super::super::calendar::{Grain, Zone};
use super::series::{Cycle, Series, Stretch};
use super::{Clock, Said};

/// What a piece of a time tells, from the finest to the coarsest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// A time of day.
    Clock,
    /// A part of the day, or from one time of day to another.
    Hours,
    /// A day of the week.
    Weekday,
    /// A day.
    Day,
    /// A week, a month, a year.
    Period,
}

/// Some words of a time and what they come to.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Piece {
    pub series: Series,
    /// The finest thing it tells.
    pub kind: Kind,
    /// Everything it tells.
    pub kinds: Vec<Kind>,
    pub said: Said,
    /// Whether nothing more can be asked about which day it is: the year is named, or it is counted from today.
    pub fixed: bool,
    /// The unit it was counted in from now: "in three months" is near a day, but names a month.
    pub counted: Option<Grain>,
    pub latent: bool,
    pub zone: Option<Zone>,
    pub holiday: Option<&'static str>,
    /// The other way to read it, for 03/04.
    pub other: Option<Series>,
}

impl Piece {
    pub fn new(kind: Kind, series: Series) -> Piece {
        let clock = match kind {
            Kind::Clock => Clock::Full,
            Kind::Hours => Clock::Part,
            _ => Clock::Unsaid,
        };
        let said = Said { date: kind > Kind::Hours, year: false, clock };
        let fixed = matches!(series, Series::Fixed(_));
        Piece {
            series,
            kind,
            kinds: vec![kind],
            said,
            fixed,
            counted: None,
            latent: false,
            zone: None,
            holiday: None,
            other: None,
        }
    }

    pub fn cycle(kind: Kind, cycle: Cycle) -> Piece {
        Piece::new(kind, Series::Cycle(cycle))
    }

    pub fn fixed(kind: Kind, stretch: Stretch) -> Piece {
        Piece::new(kind, Series::Fixed(stretch))
    }

    pub fn latent(mut self, latent: bool) -> Piece {
        self.latent = latent;
        self
    }

    /// How finely it is told, as far as that is known without a day.
    pub fn grain(&self) -> Option<Grain> {
        grain(&self.series)
    }

    /// Both together, where they go together: the finer within the coarser.
    pub fn merge(self, other: Piece) -> Option<Piece> {
        let (fine, coarse) = if self.kind <= other.kind { (self, other) } else { (other, self) };
        fine.goes_with(&coarse).then(|| fine.within(coarse))
    }

    fn goes_with(&self, coarse: &Piece) -> bool {
        if self.kinds.iter().any(|kind| coarse.kinds.contains(kind)) && !self.is_part_of_year(coarse) {
            return false;
        }
        match (self.kind, coarse.kind) {
            (Kind::Clock, Kind::Hours) | (Kind::Clock | Kind::Hours, Kind::Weekday | Kind::Day) => true,
            (Kind::Clock | Kind::Hours, Kind::Period) => coarse.counted.is_some(),
            // Nobody tells the weekday of a holiday; which year both would fit is long to find.
            (Kind::Weekday, Kind::Day | Kind::Period) => !self.fixed && coarse.holiday.is_none(),
            (Kind::Day, Kind::Period) => !self.fixed && coarse.counted.or(coarse.grain()) > Some(Grain::Day),
            (Kind::Period, Kind::Period) => self.is_part_of_year(coarse),
            _ => false,
        }
    }

    /// A month or a season of a year that is named after it.
    fn is_part_of_year(&self, year: &Piece) -> bool {
        let unit = year.counted.or(year.grain());
        self.kind == Kind::Period
            && year.kind == Kind::Period
            && !self.fixed
            && year.fixed
            && unit == Some(Grain::Year)
            && self.grain() < Some(Grain::Year)
    }

    fn within(self, coarse: Piece) -> Piece {
        let said = Said {
            date: self.said.date || coarse.said.date,
            year: self.said.year || coarse.said.year,
            clock: self.said.clock.with(coarse.said.clock),
        };
        let whole = coarse.widened(self.kind);
        let other = match (self.other, coarse.other) {
            (Some(other), _) => Some(other.within(whole.clone())),
            (None, Some(other)) => Some(self.series.clone().within(other)),
            (None, None) => None,
        };
        let mut kinds = self.kinds;
        kinds.extend(coarse.kinds);
        Piece {
            series: self.series.within(whole),
            kind: self.kind,
            kinds,
            said,
            fixed: self.fixed || coarse.fixed,
            counted: None,
            latent: false,
            zone: self.zone.or(coarse.zone),
            holiday: self.holiday.or(coarse.holiday),
            other,
        }
    }

    /// A time that is counted from now, as wide as what it is said with needs: "at five in three days" is that day.
    fn widened(&self, fine: Kind) -> Series {
        match (self.counted, &self.series) {
            (Some(unit), Series::Fixed(stretch)) => {
                let grain = if fine <= Kind::Hours { Grain::Day } else { unit.max(Grain::Day) };
                Stretch::unit(stretch.start, grain).map_or(self.series.clone(), Series::Fixed)
            }
            _ => self.series.clone(),
        }
    }
}

fn grain(series: &Series) -> Option<Grain> {
    match series {
        Series::Fixed(stretch) => Some(stretch.grain),
        Series::Cycle(cycle) => match cycle {
            Cycle::Every(grain) | Cycle::Clock { grain, .. } => Some(*grain),
            Cycle::Month(_) => Some(Grain::Month),
            Cycle::Quarter(_) => Some(Grain::Quarter),
            Cycle::Day(_) | Cycle::Weekday(_) | Cycle::Season(..) | Cycle::Holiday(_) => Some(Grain::Day),
            Cycle::Weekend | Cycle::LongWeekend(_) | Cycle::Hours(..) => Some(Grain::Hour),
        },
        Series::Within(fine, _) | Series::Nth(_, fine, _) => grain(fine),
        Series::Range(first, last) => grain(first).min(grain(last)),
        Series::Edge(..) => None,
    }
}
