//! In which units do we count?
//!
//! Evidence is counted in whole millionths, not in floating point: sums are exact, so a confidence of
//! 0.40 reaches a threshold of 0.40 on every machine and the parts of an explanation add up to the digit.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Neg, Sub};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// How many of our units make one.
const UNITS_PER_ONE: i32 = 1_000_000;

/// What any ground is worth before its weight: the base score of the framework document.
pub const GROUND_BASE: Points = Points::hundredths(30);
/// What each ground after the strongest adds: agreement helps, repetition does not pile up.
pub const FURTHER_GROUND: Points = Points::hundredths(5);
/// What each keyword adds: the document's bonus.
pub const SUPPORT: Points = Points::hundredths(10);
/// The most that evidence reaches; certainty is for names and commands.
pub const EVIDENCE_MAX: Points = Points::hundredths(99);

/// An amount of evidence: positive speaks for a route, negative against it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points(i32);

impl Points {
    /// No evidence.
    pub const ZERO: Points = Points(0);
    /// Certainty.
    pub const ONE: Points = Points(UNITS_PER_ONE);

    /// Hundredths, the unit people write weights in.
    pub const fn hundredths(count: i32) -> Points {
        Points(count.saturating_mul(UNITS_PER_ONE / 100))
    }

    /// Rounds a share to the nearest millionth; what is not a number is nothing.
    #[allow(clippy::cast_possible_truncation)] // a float-to-int cast saturates, which is what we want
    pub fn from_share(share: f64) -> Points {
        Points((share * f64::from(UNITS_PER_ONE)).round() as i32)
    }

    /// The amount as a share of one.
    pub fn share(self) -> f64 {
        f64::from(self.0) / f64::from(UNITS_PER_ONE)
    }
}

impl Add for Points {
    type Output = Points;
    fn add(self, other: Points) -> Points {
        Points(self.0.saturating_add(other.0))
    }
}

impl Sub for Points {
    type Output = Points;
    fn sub(self, other: Points) -> Points {
        Points(self.0.saturating_sub(other.0))
    }
}

impl Neg for Points {
    type Output = Points;
    fn neg(self) -> Points {
        Points(self.0.saturating_neg())
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Points>>(amounts: I) -> Points {
        amounts.fold(Points::ZERO, Add::add)
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Fixed(self.share(), f.precision(), f.sign_plus()), f)
    }
}

/// Two decimals unless asked otherwise: what people read.
struct Fixed(f64, Option<usize>, bool);

impl fmt::Display for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = self.1.unwrap_or(2);
        if self.2 { write!(f, "{:+.decimals$}", self.0) } else { write!(f, "{:.decimals$}", self.0) }
    }
}

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.share())
    }
}

impl<'de> Deserialize<'de> for Points {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Points, D::Error> {
        f64::deserialize(deserializer).map(Points::from_share)
    }
}

/// How sure we are, from 0 to 1: evidence that cannot leave those bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Confidence(Points);

impl Confidence {
    /// Nothing speaks for it.
    pub const NONE: Confidence = Confidence(Points::ZERO);
    /// Nothing speaks against it: commands and names only.
    pub const CERTAIN: Confidence = Confidence(Points::ONE);

    /// Evidence held within 0 and 1.
    pub fn new(points: Points) -> Confidence {
        Confidence(points.clamp(Points::ZERO, Points::ONE))
    }

    /// The evidence behind it.
    pub const fn points(self) -> Points {
        self.0
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<'de> Deserialize<'de> for Confidence {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Confidence, D::Error> {
        Points::deserialize(deserializer).map(Confidence::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sums_reach_their_threshold_exactly() {
        let sum = Points::hundredths(10) + Points::hundredths(20) + Points::hundredths(10);
        assert_eq!(sum, Points::hundredths(40));
        assert_eq!(serde_json::to_string(&sum).unwrap(), "0.4");
        assert_eq!(format!("{sum} {sum:+.3}"), "0.40 +0.400");
    }

    #[test]
    fn what_is_not_a_number_is_nothing() {
        assert_eq!(Points::from_share(f64::NAN), Points::ZERO);
        assert_eq!(Confidence::new(Points::from_share(f64::INFINITY)), Confidence::CERTAIN);
    }

    proptest! {
        #[test]
        fn json_keeps_every_amount(units in -2_000_000i32..2_000_000) {
            let points = Points(units);
            let read: Points = serde_json::from_str(&serde_json::to_string(&points).unwrap()).unwrap();
            prop_assert_eq!(points, read);
        }
    }
}
