//! Where do sun and moon stand?

use super::super::super::calendar::Date;

/// Degrees by which the moon gains on the sun in a day, on average.
const GAIN: f64 = 12.190_749;
/// Degrees that the sun goes in a day, on average.
const PACE: f64 = 0.985_647;
/// The year 2000 at noon, in days since 1970.
const EPOCH: f64 = 10_957.5;
/// Steps in which a moment is closed in on; each leaves an error some fifty times smaller.
const STEPS: usize = 4;

/// The largest waves of the moon's longitude: multiples of its distance from the sun, of the sun's anomaly, of its
/// own and of its distance from the node, and the height in millionths of a degree. What is left out comes to less
/// than two minutes.
const WAVES: [([f64; 4], f64); 18] = [
    ([0.0, 0.0, 1.0, 0.0], 6_288_774.0),
    ([2.0, 0.0, -1.0, 0.0], 1_274_027.0),
    ([2.0, 0.0, 0.0, 0.0], 658_314.0),
    ([0.0, 0.0, 2.0, 0.0], 213_618.0),
    ([0.0, 1.0, 0.0, 0.0], -185_116.0),
    ([0.0, 0.0, 0.0, 2.0], -114_332.0),
    ([2.0, 0.0, -2.0, 0.0], 58_793.0),
    ([2.0, -1.0, -1.0, 0.0], 57_066.0),
    ([2.0, 0.0, 1.0, 0.0], 53_322.0),
    ([2.0, -1.0, 0.0, 0.0], 45_758.0),
    ([0.0, 1.0, -1.0, 0.0], -40_923.0),
    ([1.0, 0.0, 0.0, 0.0], -34_720.0),
    ([0.0, 1.0, 1.0, 0.0], -30_383.0),
    ([2.0, 0.0, 0.0, -2.0], 15_327.0),
    ([0.0, 0.0, 1.0, 2.0], -12_528.0),
    ([0.0, 0.0, 1.0, -2.0], 10_980.0),
    ([4.0, 0.0, -1.0, 0.0], 10_675.0),
    ([0.0, 0.0, 3.0, 0.0], 10_034.0),
];

/// Centuries since 2000.
fn centuries(days: f64) -> f64 {
    (days - EPOCH) / 36_525.0
}

/// The longitude of the sun, in degrees from the spring equinox, at a moment in days since 1970.
pub(super) fn sun(days: f64) -> f64 {
    let time = centuries(days);
    let anomaly = (357.529_11 + 35_999.050_29 * time).to_radians();
    let centre =
        1.9146 * anomaly.sin() + 0.019_993 * (2.0 * anomaly).sin() + 0.000_289 * (3.0 * anomaly).sin();
    (280.466_46 + 36_000.769_83 * time + centre - 0.005_69).rem_euclid(360.0)
}

fn moon(days: f64) -> f64 {
    let time = centuries(days);
    let angles = [
        297.850_192_1 + 445_267.111_403_4 * time,
        357.529_109_2 + 35_999.050_290_9 * time,
        134.963_396_4 + 477_198.867_505_5 * time,
        93.272_095_0 + 483_202.017_523_3 * time,
    ];
    let wave = |(times, height): &([f64; 4], f64)| {
        let angle: f64 = times.iter().zip(angles).map(|(times, angle)| times * angle).sum();
        height * angle.to_radians().sin()
    };
    218.316_447_7 + 481_267.881_234_21 * time + WAVES.iter().map(wave).sum::<f64>() / 1e6
}

/// Degrees by which the moon is ahead of the sun: 0 when it is new, 180 when it is full.
pub(super) fn phase(days: f64) -> f64 {
    (moon(days) - sun(days)).rem_euclid(360.0)
}

/// An angle as the way from zero, whichever is shorter.
fn turned(angle: f64) -> f64 {
    (angle + 180.0).rem_euclid(360.0) - 180.0
}

/// The new moon nearest to a moment.
pub(super) fn new_moon_near(days: f64) -> f64 {
    (0..STEPS).fold(days, |moment, _| moment - turned(phase(moment)) / GAIN)
}

/// The first new moon after a moment.
pub(super) fn new_moon_after(days: f64) -> f64 {
    let near = new_moon_near(days + (360.0 - phase(days)) / GAIN);
    // Close to a new moon the way to the next one is read as nothing.
    if near > days { near } else { new_moon_near(near + 29.53) }
}

/// The moment nearest to another one at which the sun comes to a longitude, as `longitude` measures it.
pub(super) fn sun_reaches(degrees: f64, near: f64, longitude: fn(f64) -> f64) -> f64 {
    (0..STEPS).fold(near, |moment, _| moment - turned(longitude(moment) - degrees) / PACE)
}

/// The longitude of the sun against the stars, as it is reckoned in India.
pub(super) fn sun_among_stars(days: f64) -> f64 {
    let drift = 23.853 + (days - EPOCH) / 365.25 * 0.013_97;
    (sun(days) - drift).rem_euclid(360.0)
}

/// A day as a moment: its midnight in Greenwich.
pub(super) fn moment(date: Date) -> f64 {
    f64::from(i32::try_from(date.days()).unwrap_or_default())
}

/// The day that a moment falls on, on a clock so many hours ahead of Greenwich.
pub(super) fn day_of(moment: f64, hours: f64) -> i64 {
    #[allow(clippy::cast_possible_truncation)] // years are bounded, so days are
    let day = (moment + hours / 24.0).floor() as i64;
    day
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(near: (i64, i64, i64), new_moon: &str) {
        let date = Date::new(near.0, near.1, near.2).unwrap();
        let found = new_moon_near(moment(date));
        assert_eq!(Date::from_days(day_of(found, 0.0)).unwrap().to_string(), new_moon);
    }

    #[test]
    fn the_moon_is_new_on_known_days() {
        check((2000, 1, 5), "2000-01-06");
        check((2017, 8, 20), "2017-08-21");
        check((2024, 4, 10), "2024-04-08");
    }
}
