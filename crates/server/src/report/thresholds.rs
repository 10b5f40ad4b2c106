//! What do fitted thresholds look like in a terminal?

use std::fmt::Write as _;

use waypost::learn::{Lock, Locked, LockedTier, Promised};

use super::Paint;
use super::paint::tame;
use super::text::NAME_COLUMNS_MAX;

/// Routes listed a tier: those whose threshold is highest.
const ROUTES_MAX: usize = 12;

/// The thresholds of a lock.
pub fn thresholds(lock: &Lock, paint: Paint) -> String {
    let heading = format!("Thresholds for a precision of {}", lock.target_precision);
    let tiers: String = lock.tiers.iter().map(|tier| of_tier(tier, lock, paint)).collect();
    format!("{}\n{tiers}", paint.strong(&heading))
}

fn of_tier(tier: &LockedTier, lock: &Lock, paint: Paint) -> String {
    let mut shown = format!("\n  {}\n    all routes  {}\n", name_of(&tier.encoder), of(&tier.pooled));
    if tier.pooled.promised == Promised::No {
        let target = lock.target_precision;
        let told =
            format!("too few examples to promise {target}: what was learned must be {target} sure instead");
        // Writing to a String cannot fail.
        let _ = writeln!(shown, "    {}", paint.doubt(&told));
    }
    let mut routes: Vec<(&String, &Locked)> = tier.routes.iter().collect();
    routes.sort_by(|(a, one), (b, two)| two.threshold.cmp(&one.threshold).then(a.cmp(b)));
    let width =
        routes.iter().take(ROUTES_MAX).map(|(name, _)| name.chars().count()).max().unwrap_or_default();
    let width = width.min(NAME_COLUMNS_MAX);
    for (name, locked) in routes.iter().take(ROUTES_MAX) {
        let _ = writeln!(shown, "    {:<width$}  {}", tame(name), of(locked));
    }
    let more = routes.len().saturating_sub(ROUTES_MAX);
    if more > 0 {
        shown += &paint.faint(&format!("    and {more} more, none of them higher\n"));
    }
    shown
}

/// What a person calls an encoder: those of the library are known by a checksum.
fn name_of(encoder: &str) -> String {
    match encoder.split_once(' ') {
        None if encoder.len() == 64 => "built-in encoder, summed".to_owned(),
        Some((checksum, "deep")) if checksum.len() == 64 => "built-in encoder, deep".to_owned(),
        _ => tame(encoder).chars().take(80).collect(),
    }
}

fn of(locked: &Locked) -> String {
    let how = match locked.promised {
        Promised::Alone => "promised by its own examples",
        Promised::Together => "promised for all together",
        Promised::No => "not promised",
    };
    let Locked { threshold, examples, above, right, .. } = locked;
    format!("{threshold}  {right} of {above} right, of {examples} judged; {how}")
}
