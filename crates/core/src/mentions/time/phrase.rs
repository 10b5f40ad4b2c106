//! Which words of time stand together?

use super::super::calendar::Grain;
use super::lexicon::Word;
use super::piece::{Kind, Piece};
use super::scene::Scene;
use super::series::Series;
use super::{Clock, clock, dates, duration, holidays, nth, numeric, parts, ranges, turns};

/// Most pieces that are put together; nobody says more of one time.
const PIECES_MAX: usize = 6;

/// How deep one expression may stand within another: "the day after the first Monday of the month".
const DEPTH_MAX: usize = 6;

/// Whether a time may begin at a place: few words can, so that most are passed by at once.
pub(super) fn may_begin(scene: &Scene<'_>, at: usize) -> bool {
    if scene.is_figures(at) {
        // Not within a word or a longer number.
        let joined = scene.tokens.is_joined(at);
        return !joined
            || at == 0
            || scene.any(
                at - 1,
                &["(", "[", "\"", "'", "“", "‘", "@", ":", ";", "—", "–", "~", "=", ">", "|", ","],
            );
    }
    scene.word(at).is_some() || scene.names_holiday(at)
}

/// One expression of one kind, the longest that begins at a place.
pub(super) fn atom(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    if scene.depth.get() >= DEPTH_MAX {
        return None;
    }
    let cell = scene.atoms.get(at)?;
    if let Some(known) = cell.get() {
        return known.clone();
    }
    scene.depth.set(scene.depth.get() + 1);
    let found = longest(scene, at);
    scene.depth.set(scene.depth.get() - 1);
    cell.get_or_init(|| found).clone()
}

fn longest(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    type Reader = fn(&Scene<'_>, usize) -> Option<(Piece, usize)>;
    const READERS: [Reader; 18] = [
        numeric::at,
        holidays::at,
        turns::at,
        nth::at,
        parts::edge,
        parts::of_named,
        duration::from_now,
        ranges::days,
        ranges::clocks,
        dates::near,
        dates::month,
        dates::day,
        dates::weekday,
        dates::week_on,
        parts::of_day,
        parts::of_year,
        dates::year,
        clock::at,
    ];
    if !scene.is_figures(at) && !may_begin(scene, at) {
        return None;
    }
    let mut best: Option<(Piece, usize)> = None;
    for (piece, next) in READERS.iter().filter_map(|read| read(scene, at)) {
        let better = best
            .as_ref()
            .is_none_or(|(old, end)| next > *end || (next == *end && old.latent && !piece.latent));
        if better {
            best = Some((piece, next));
        }
    }
    best
}

/// Expressions that belong together: Thursday at 8 am, at 5 tomorrow afternoon, Monday, Feb 18.
pub(super) fn chain(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    let (mut whole, mut next) = first(scene, at)?;
    for _ in 1..PIECES_MAX {
        let Some((piece, end)) = more(scene, &whole, next) else { break };
        (whole, next) = (piece, end);
    }
    let next = roughly(scene, next);
    Some((whole, next))
}

/// The first expression, with the preposition that makes a bare number or name sure.
fn first(scene: &Scene<'_>, at: usize) -> Option<(Piece, usize)> {
    let plain = atom(scene, at);
    let inner = match scene.tokens.lower(at) {
        "at" | "@" => prepared(scene, at, |piece| matches!(piece.kind, Kind::Clock | Kind::Hours)),
        "on" => prepared(scene, at, |piece| matches!(piece.kind, Kind::Weekday | Kind::Day)),
        "in" | "during" => prepared(scene, at, |piece| matches!(piece.kind, Kind::Period | Kind::Hours)),
        "for" if duration::at(scene, at + 1).is_none() => prepared(scene, at, |piece| !piece.latent),
        "around" | "about" | "approximately" => {
            prepared(scene, at, |piece| !piece.latent || is_clock_of_four(scene, at + 1, piece))
        }
        _ => None,
    };
    match (plain, inner) {
        (Some(plain), Some(inner)) => Some(if inner.1 > plain.1 { inner } else { plain }),
        (plain, inner) => plain.or(inner),
    }
}

/// How far ahead a day may lie that is said with its weekday and without a year, in days: a year and some weeks.
const WEEKDAY_AHEAD_MAX_D: i64 = 400;

/// What follows a preposition, where the preposition goes with it.
fn prepared(scene: &Scene<'_>, at: usize, fits: impl Fn(&Piece) -> bool) -> Option<(Piece, usize)> {
    let start = scene.skip(scene.skip(at + 1, &["about", "around"]), &["the"]);
    let found = atom(scene, at + 1).or_else(|| atom(scene, start));
    let found = if scene.any(at, &["at", "@"]) { clock::at(scene, start).or(found) } else { found };
    let (piece, next) = found?;
    let sure = !piece.latent || ends_here(scene, next);
    fits(&piece).then(|| (piece.latent(!sure), next))
}

/// Whether a bare number before this place stands for itself: "at 12", but not "at 12 main street".
pub(super) fn ends_here(scene: &Scene<'_>, at: usize) -> bool {
    const AFTER: &[&str] = &[
        "and", "or", "but", "please", "if", "with", "so", "then", "when", "to", "because", "unless",
        "instead", "ish", "sharp", "exactly", "is", "was", "works", "too", "again", "for", "not", "thanks",
    ];
    let word = scene.tokens.get(at).is_some_and(|token| token.kind == super::super::tokens::Kind::Word);
    !word || (scene.word(at).is_some() && !scene.is(at, "one")) || scene.any(at, AFTER)
}

fn is_clock_of_four(scene: &Scene<'_>, at: usize, piece: &Piece) -> bool {
    piece.kind == Kind::Clock && scene.figures(at).is_some_and(|(_, count)| count >= 3)
}

/// The next expression after what was read, where both go together.
fn more(scene: &Scene<'_>, whole: &Piece, at: usize) -> Option<(Piece, usize)> {
    joints(scene, at).into_iter().flatten().find_map(|(start, bare)| {
        let (piece, end) = first(scene, start)?;
        let sure = !piece.latent || follows_surely(whole, &piece, scene, start, bare);
        let sure = sure && (!whole.latent || leads_surely(whole, &piece, bare));
        let mut merged = sure.then(|| whole.clone().merge(piece)).flatten()?;
        // "Wed 10-16" is no Wednesday the sixteenth of October four years from now.
        let is_near = |series: &Series| {
            let coming = series.coming(scene.now)?;
            let days = coming.start.date.days() - scene.now.date.days();
            (days <= WEEKDAY_AHEAD_MAX_D).then_some(())
        };
        if !merged.kinds.contains(&Kind::Weekday) || merged.fixed {
            return merged.series.coming(scene.now).map(|_| (merged, end));
        }
        // The weekday tells which way 5/12 is to be read.
        if is_near(&merged.series).is_none() {
            merged.series = merged.other.take()?;
        } else if merged.other.as_ref().is_some_and(|other| is_near(other).is_none()) {
            merged.other = None;
        }
        is_near(&merged.series).map(|()| (merged, end))
    })
}

/// Where the next expression may begin: at once, or after a word or sign that joins. `true` where nothing stands
/// between.
fn joints(scene: &Scene<'_>, at: usize) -> [Option<(usize, bool)>; 2] {
    let joined = match scene.tokens.lower(at) {
        "," | "of" | "in" | "on" | "for" | "the" | "at" | "@" | "-" => true,
        // Sunday from last week.
        "from" => matches!(scene.word(at + 1), Some(Word::Turn(_))),
        "t" => scene.tokens.is_joined(at) && scene.tokens.is_joined(at + 1),
        _ => false,
    };
    let after = scene.skip(at + 1, &["the", "on", "at", "in", "around", "about"]);
    [Some((at, true)), joined.then_some((after, false))]
}

/// Whether a piece that need not be meant is meant after this one: "tonight 815", "Tuesday, 2014".
fn follows_surely(whole: &Piece, piece: &Piece, scene: &Scene<'_>, at: usize, bare: bool) -> bool {
    let figures = scene.figures(at).map_or(0, |(_, count)| count);
    match piece.kind {
        Kind::Clock => {
            let day = whole.kind > Kind::Clock && whole.kind < Kind::Period;
            day && (figures >= 3 || at > 0 && scene.any(at - 1, &["at", "@", "t"]))
        }
        Kind::Hours | Kind::Weekday | Kind::Period => true,
        Kind::Day => {
            bare && whole.kind == Kind::Weekday && (figures > 0 || piece.grain() == Some(Grain::Day))
        }
    }
}

/// Whether a piece that need not be meant is meant before this one: "9 tomorrow", "may 2015".
fn leads_surely(whole: &Piece, piece: &Piece, bare: bool) -> bool {
    match whole.kind {
        Kind::Clock => (bare || piece.kind == Kind::Hours) && matches!(piece.kind, Kind::Day | Kind::Hours),
        Kind::Period => piece.kind == Kind::Period,
        Kind::Weekday => piece.said.clock != Clock::Twelve,
        _ => true,
    }
}

/// The place after a word that makes a time less exact.
fn roughly(scene: &Scene<'_>, at: usize) -> usize {
    if scene.is(at, "-") && scene.is(at + 1, "ish") {
        return at + 2;
    }
    scene.skip(at, &["ish", "approximately", "sharp", "exactly"])
}

#[cfg(test)]
mod tests {
    use super::super::tests::check;

    #[test]
    fn what_belongs_together_is_one_time() {
        check("thursday at 8 am PST", &["thursday at 8 am PST: 2027-03-04T17:00 minute"]);
        check("at 5 tomorrow afternoon", &["at 5 tomorrow afternoon: 2027-03-03T17:00 hour"]);
        check("monday, march 8, 3pm", &["monday, march 8, 3pm: 2027-03-08T15:00 hour"]);
        check("9 tomorrow", &["9 tomorrow: 2027-03-03T09:00 hour"]);
        check("fri, mar 5, 2027 19h00", &["fri, mar 5, 2027 19h00: 2027-03-05T19:00 minute"]);
        check("new years eve at 11pm", &["new years eve at 11pm: 2027-12-31T23:00 hour"]);
        check("april 3 at noon", &["april 3 at noon: 2027-04-03T12:00 hour"]);
        check("sunday, feb 28", &["sunday, feb 28: 2027-02-28 day"]);
    }

    #[test]
    fn ordinary_words_are_none() {
        check("make it secondary, please", &[]);
        check("the whole state and both methods", &[]);
        check("what does it mean?", &[]);
    }
}
