//! Before it, after it, or the time itself: since Monday, by the end of the year, after 5 days?

use super::super::calendar::Grain;
use super::piece::{Kind, Piece};
use super::scene::Scene;
use super::series::{Series, Stretch};
use super::{Bound, duration, phrase, ranges};

/// A whole time at a place: what was named, and which side of it is meant.
pub(super) fn at(scene: &Scene<'_>, at: usize) -> Option<(Piece, Bound, usize)> {
    let readings = [
        phrase::chain(scene, at).map(|(piece, next)| (piece, Bound::At, next)),
        ranges::whole(scene, at).map(|(piece, next)| (piece, Bound::At, next)),
        bounded(scene, at),
    ];
    readings.into_iter().flatten().reduce(|best, other| if other.2 > best.2 { other } else { best })
}

fn bounded(scene: &Scene<'_>, at: usize) -> Option<(Piece, Bound, usize)> {
    if let Some(next) = soon(scene, at) {
        let now = Stretch::unit(scene.now, Grain::Second)?;
        return Some((Piece::fixed(Kind::Clock, now), Bound::From, next));
    }
    if let Some((piece, next)) = within(scene, at) {
        return Some((piece, Bound::At, next));
    }
    let (bound, next) = opening(scene, at)?;
    let (piece, end) = after_some_time(scene, bound, next).or_else(|| phrase::chain(scene, next))?;
    // A bare number after "by" or "after" is no time, and need not be one after "until".
    let sure = !piece.latent || is_surely(scene, &piece, next, end);
    let hour = piece.kind == Kind::Clock && matches!(bound, Bound::Until | Bound::From);
    if !(sure || hour && phrase::ends_here(scene, end)) {
        return None;
    }
    let mut piece = piece.latent(!sure);
    if scene.is(at, "since") {
        // Whoever says "since" speaks of what has been.
        piece.series = Series::Fixed(piece.series.latest(scene.now)?);
    }
    if let (Bound::After | Bound::From, Some((last, end))) = (bound, but_before(scene, end)) {
        let zone = piece.zone.or(last.zone);
        let series = piece.series.clone().to(last.series);
        return Some((Piece { series, zone, ..piece }, Bound::At, end));
    }
    // "The payment from last Saturday" is of that day, not since then.
    let over = scene.is(at, "from") && piece.fixed && piece.series.coming(scene.now)?.end <= scene.now;
    Some((piece, if over { Bound::At } else { bound }, end))
}

/// As soon as possible.
fn soon(scene: &Scene<'_>, at: usize) -> Option<usize> {
    if scene.is(at, "asap") {
        return Some(at + 1);
    }
    scene.all(at, &["as", "soon", "as", "possible"])
}

/// Within two weeks.
fn within(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    scene.is(at, "within").then_some(())?;
    let start = scene.skip(at + 1, &["the", "about"]);
    let start = scene.skip(start, &["next", "coming"]);
    let (span, next) = duration::at(scene, start)?;
    let end = span.from(scene.now, 1)?;
    let end = if span.unit > Grain::Day { end.floor(Grain::Day) } else { end };
    let stretch = Stretch { start: scene.now, end, grain: Grain::Second };
    Some((Piece::fixed(Kind::Clock, stretch), next))
}

/// The words that open a side.
fn opening(scene: &Scene<'_>, at: usize) -> Option<(Bound, usize)> {
    let at = scene.skip(at, &["anytime", "sometime", "sometimes", "any", "some"]);
    let at = scene.skip(at, &["time"]);
    match scene.tokens.lower(at) {
        "after" => Some((Bound::After, at + 1)),
        "since" | "from" => Some((Bound::From, at + 1)),
        "before" => Some((Bound::Before, at + 1)),
        "until" | "untill" | "till" | "through" | "thru" => Some((Bound::Until, at + 1)),
        "by" => Some((Bound::By, scene.skip(at + 1, &["the"]))),
        "later" => Some((Bound::After, scene.all(at, &["later", "than"])?)),
        "earlier" => Some((Bound::Before, scene.all(at, &["earlier", "than"])?)),
        "prior" => Some((Bound::Before, scene.all(at, &["prior", "to"])?)),
        "up" => Some((Bound::Until, scene.all(at, &["up", "to"])?)),
        "no" => match scene.tokens.lower(at + 1) {
            "later" => Some((Bound::Until, scene.all(at, &["no", "later", "than"])?)),
            "earlier" => Some((Bound::From, scene.all(at, &["no", "earlier", "than"])?)),
            _ => None,
        },
        _ => None,
    }
}

/// After five days: from five days from now on.
fn after_some_time(scene: &Scene<'_>, bound: Bound, at: usize) -> Option<(Piece, usize)> {
    if bound != Bound::After {
        return None;
    }
    let (_, next) = duration::at(scene, at)?;
    if scene.any(next, &["ago", "from", "hence", "after", "before"]) {
        return None;
    }
    duration::ahead_of_now(scene, at)
}

/// Whether a name or a number that need not be a time is one behind such a word: a year, a month.
fn is_surely(scene: &Scene<'_>, piece: &Piece, at: usize, end: usize) -> bool {
    let year = scene.figures(at).is_some_and(|(year, count)| count == 4 && (1900..2100).contains(&year));
    match piece.kind {
        Kind::Period if scene.is_figures(at) => year,
        Kind::Period | Kind::Weekday | Kind::Hours => phrase::ends_here(scene, end),
        Kind::Day => matches!(piece.series, Series::Cycle(_)) && scene.is_figures(at),
        Kind::Clock => false,
    }
}

/// "but before" and a second time.
fn but_before(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    let start = scene.skip(at, &["but", "and"]);
    scene.any(start, &["before", "until"]).then_some(())?;
    phrase::chain(scene, start + 1).filter(|(piece, _)| !piece.latent)
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;

    #[test]
    fn sides_of_a_time() {
        check("since monday", &["since monday: 2027-03-01 day from"]);
        check("since may", &["since may: 2026-05-01 month from"]);
        check("by the end of the year", &["by the end of the year: 2027-09-01/2028-01-01 month by"]);
        check("before 2029", &["before 2029: 2029-01-01 year before"]);
        check("after 5 days", &["after 5 days: 2027-03-07T09:00 hour after"]);
        check("until 3pm", &["until 3pm: 2027-03-02T15:00 hour until"]);
        check("no later than friday", &["no later than friday: 2027-03-05 day until"]);
        check("from 2pm", &["from 2pm: 2027-03-02T14:00 hour from"]);
        check("within two weeks", &["within two weeks: 2027-03-02T09:15/2027-03-16 second"]);
        check("asap", &["asap: 2027-03-02T09:15 second from"]);
        check(
            "later than 2pm but before 4pm",
            &["later than 2pm but before 4pm: 2027-03-02T14:00/2027-03-02T16:00 hour"],
        );
    }

    #[test]
    fn other_words_after_them_are_none() {
        check("by car", &[]);
        check("after all", &[]);
        check("from spring street", &["~spring: 2027-03-20/2027-06-22 day"]);
        check("by 5 percent", &["~5: 2027-03-02T17:00 hour"]);
        check("before the meeting", &[]);
    }
}
