//! Which zone's clock is it told by?

use super::super::calendar::Zone;
use super::scene::Scene;

/// Names of zones, sorted, and the minutes by which their clocks are ahead of UTC. Names that several zones bear
/// have the one that is meant most often.
const ZONES: &[(&str, i16)] = &[
    ("acst", 570),
    ("adt", -180),
    ("aedt", 660),
    ("aest", 600),
    ("akdt", -480),
    ("akst", -540),
    ("ast", -240),
    ("awst", 480),
    ("brt", -180),
    ("bst", 60),
    ("cat", 120),
    ("cdt", -300),
    ("cest", 120),
    ("cet", 60),
    ("cst", -360),
    ("eat", 180),
    ("edt", -240),
    ("eest", 180),
    ("eet", 120),
    ("est", -300),
    ("gmt", 0),
    ("hkt", 480),
    ("hst", -600),
    ("ist", 330),
    ("jst", 540),
    ("kst", 540),
    ("mdt", -360),
    ("msk", 180),
    ("mst", -420),
    ("nst", -210),
    ("nzdt", 780),
    ("nzst", 720),
    ("pdt", -420),
    ("pht", 480),
    ("pkt", 300),
    ("pst", -480),
    ("sast", 120),
    ("sgt", 480),
    ("utc", 0),
    ("wat", 60),
    ("west", 60),
    ("wet", 0),
    ("wib", 420),
    ("z", 0),
];

/// The zone that stands at a place, in brackets or not: GMT, (BST), UTC+2, +02:00.
pub(super) fn at(scene: &Scene<'_>, at: usize) -> Option<(Zone, usize)> {
    if scene.is(at, "(") {
        let (zone, next) = named(scene, at + 1)?;
        return scene.is(next, ")").then_some((zone, next + 1));
    }
    // A minus opens the end of a range as well, unless seconds stand before it: 9:30-11:00, 09:30:00-02:00.
    let minutes = scene.is(at.wrapping_sub(2), ":");
    let seconds = minutes && scene.is(at.wrapping_sub(4), ":");
    let signed = scene.tokens.is_joined(at) && (minutes && scene.is(at, "+") || seconds);
    named(scene, at).or_else(|| signed.then(|| ahead(scene, at))?)
}

fn named(scene: &Scene<'_>, at: usize) -> Option<(Zone, usize)> {
    let name = scene.tokens.lower(at);
    if (name == "z") && !scene.tokens.is_joined(at) {
        return None;
    }
    let found = ZONES.binary_search_by(|(zone, _)| (*zone).cmp(name)).ok()?;
    let (_, minutes) = ZONES.get(found)?;
    let world = matches!(name, "utc" | "gmt");
    let exact = world.then(|| ahead(scene, at + 1)).flatten();
    Some(exact.unwrap_or((Zone(*minutes), at + 1)))
}

/// A difference written in figures.
fn ahead(scene: &Scene<'_>, at: usize) -> Option<(Zone, usize)> {
    if !scene.any(at, &["+", "-"]) || !scene.tokens.is_joined(at + 1) || !scene.is_figures(at + 1) {
        return None;
    }
    let colon = scene.is(at + 2, ":") && scene.tokens.is_joined(at + 2) && scene.tokens.is_joined(at + 3);
    let next = if colon { at + 4 } else { at + 2 };
    let text = scene.tokens.span(at, next).of(scene.tokens.text());
    Some((Zone::parse(text)?, next))
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;
    use super::*;

    #[test]
    fn names_are_sorted() {
        assert!(ZONES.is_sorted_by(|(one, _), (other, _)| one < other));
    }

    #[test]
    fn zones_are_named() {
        check("8 am PST", &["8 am PST: 2027-03-02T17:00 minute"]);
        check("9:00 UTC+2", &["9:00 UTC+2: 2027-03-02T20:00 minute"]);
        check("15:00 (GMT)", &["15:00 (GMT): 2027-03-02T16:00 minute"]);
        check("13:30:00-05:00", &["13:30:00-05:00: 2027-03-02T19:30 second"]);
    }
}
