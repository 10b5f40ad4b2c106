//! How is each thing of the report said, in the words of a language?

use waypost::core::catalog::{Recommends, SignalSource, ThresholdRule, Work};
use waypost::core::measure::{Confidence, Points};
use waypost::core::preflight::{Band, Cause, Held, Permission, RiskPart};
use waypost::core::resources::{Pressure, Resource, Zone};
use waypost::core::scores::{FactorKind, Note};
use waypost::core::signals::MatchedBy;
use waypost::core::threshold::{Adjusted, Level, Noticed, Selection};
use waypost::core::trace::steps::{PartKey, Rejection, RiskKind, RiskLevel, RiskTold, Steps};
use waypost::{Outcome, Trace};

use super::percent;
use super::sentence::Sentence;
use crate::report::words::Words;

/// How somebody was chosen, or why nobody was.
pub fn choice(trace: &Trace, selection: Selection, forced_by: Option<MatchedBy>, words: &Words) -> Sentence {
    let choice = &words.choice;
    let nobody = match trace.answer.outcome {
        Outcome::Act => None,
        Outcome::Clarify => Some(choice.asked),
        Outcome::Abstain => Some(choice.left_alone),
        Outcome::Blocked => Some(choice.blocked),
        Outcome::Deferred => Some(choice.deferred),
    };
    if let Some(nobody) = nobody {
        let conflict = trace.preflight.iter().flat_map(|preflight| &preflight.given.conflicts).next();
        let why = match conflict {
            Some(pair) => Sentence::fill(choice.conflict, &[named(&pair.one), named(&pair.other)]),
            None => Sentence::told(&trace.answer.message),
        };
        return Sentence::join([Sentence::ours(nobody), why], " ");
    }
    Sentence::ours(match (forced_by, selection) {
        (Some(MatchedBy::Command), _) => choice.ordered,
        (Some(_), _) => choice.named,
        (None, Selection::SpecialistHigh) => choice.specialist_high,
        (None, Selection::Specialist) => choice.specialist,
        (None, Selection::Universal) => choice.universal,
    })
}

/// The label of a factor.
pub const fn factor(kind: FactorKind, words: &'static Words) -> &'static str {
    match kind {
        FactorKind::Pattern => words.headings.pattern,
        FactorKind::Domain => words.headings.domain,
        FactorKind::Complexity => words.headings.complexity,
        FactorKind::Resources => words.headings.resources,
    }
}

/// A part of a factor.
pub fn part(key: PartKey, about: Option<&str>, words: &Words) -> Sentence {
    let parts = &words.parts;
    let template = match key {
        PartKey::Keyword => parts.keyword,
        PartKey::Pattern => parts.pattern,
        PartKey::Matched => parts.matched,
        PartKey::Beyond => parts.beyond,
        PartKey::Noted(note) => match note {
            Note::StronglyLike => parts.strongly_like,
            Note::DoesOperation => parts.does_operation,
            Note::WordsOfArea => parts.words_of_area,
            Note::OwnField => parts.own_field,
            Note::OwnArea => parts.own_area,
            Note::OwnElsewhere => parts.own_elsewhere,
            Note::RelatedArea => parts.related_area,
            Note::NoArea => parts.no_area,
            Note::AreaUnknown => parts.area_unknown,
            Note::BandExact => parts.band_exact,
            Note::BandAdjacent => parts.band_adjacent,
            Note::BandFar => parts.band_far,
            Note::BandUnknown => parts.band_unknown,
            Note::ToolsAll => parts.tools_all,
            Note::ToolsMost => parts.tools_most,
            Note::ToolsSome => parts.tools_some,
            Note::ToolsNone => parts.tools_none,
            Note::ToolsNotNeeded => parts.tools_not_needed,
            Note::ToolsUnchecked => parts.tools_unchecked,
            Note::ServersAll => parts.servers_all,
            Note::ServersOffline => parts.servers_offline,
            Note::ServersNotNeeded => parts.servers_not_needed,
            Note::ServersUnchecked => parts.servers_unchecked,
        },
    };
    Sentence::fill(template, &[named(about.unwrap_or_default())])
}

/// What moved the threshold, from where to where, and why. The rule's own reason stays as the catalog says it.
pub fn threshold(adjusted: &Adjusted, rule: Option<&ThresholdRule>, words: &Words) -> Sentence {
    let (from, to) = (adjusted.original, adjusted.threshold);
    let Some(rule) = rule else { return Sentence::fill(words.threshold.no_rule, &[exact(from)]) };
    let (id, reason) = (named(&rule.id), Sentence::told(&rule.reason));
    if adjusted.delta == Points::ZERO {
        return Sentence::fill(words.threshold.kept, &[exact(from), id, reason]);
    }
    let up = adjusted.delta > Points::ZERO;
    let template = if up { words.threshold.increased } else { words.threshold.decreased };
    let share = (adjusted.delta.share() / from.points().share()).abs();
    let moved = match (share * 100.0).round() {
        _ if from == Confidence::NONE => exact(to),
        small if small < 1.0 => Sentence::ours(words.threshold.less_than_one),
        percent => Sentence::ours(format!("{percent}%")),
    };
    Sentence::fill(template, &[moved, exact(from), exact(to), id, reason])
}

/// What a signal is about and would do to the threshold.
pub fn signal(signal: &Noticed, words: &Words) -> Sentence {
    let threshold = &words.threshold;
    let source = match signal.source {
        SignalSource::User => threshold.of_user,
        SignalSource::Resource => threshold.of_resource,
        SignalSource::Context => threshold.of_context,
    };
    let would = match (signal.recommends, signal.value) {
        (Recommends::Up, Some(value)) => Sentence::fill(threshold.raise_to, &[exact(value)]),
        (Recommends::Up, None) => Sentence::ours(threshold.raise),
        (Recommends::Down, Some(value)) => Sentence::fill(threshold.lower_to, &[exact(value)]),
        (Recommends::Down, None) => Sentence::ours(threshold.lower),
        (Recommends::Neutral, _) => Sentence::ours(threshold.leave),
    };
    Sentence::join([Sentence::ours(source), would], ": ")
}

/// Why somebody else was not taken.
pub fn rejection(rejection: &Rejection, words: &Words) -> Sentence {
    let rejections = &words.rejections;
    let (template, places) = match rejection {
        Rejection::OverruledByCommand { winner } => (rejections.overruled_by_command, vec![named(winner)]),
        Rejection::OverruledByName { winner } => (rejections.overruled_by_name, vec![named(winner)]),
        Rejection::Outranked { winner } => (rejections.outranked, vec![named(winner)]),
        Rejection::LessSure { winner, gap } => (rejections.less_sure, vec![named(winner), amount(*gap)]),
        Rejection::BelowThreshold { gap, threshold } => {
            (rejections.below_threshold, vec![amount(*gap), exact(*threshold)])
        }
        Rejection::Excluded { listed } => (rejections.excluded, vec![Sentence::told(listed)]),
        Rejection::KeywordsAlone => (rejections.keywords_alone, Vec::new()),
        Rejection::Denied => (rejections.denied, Vec::new()),
        Rejection::NotNeeded => (rejections.not_needed, Vec::new()),
        Rejection::NothingMatched => (rejections.nothing_matched, Vec::new()),
        Rejection::UnknownCommand => (rejections.unknown_command, Vec::new()),
        Rejection::ConflictingFlags => (rejections.conflicting_flags, Vec::new()),
        Rejection::NamesNothing => (rejections.names_nothing, Vec::new()),
        Rejection::SafeMode => (rejections.safe_mode, Vec::new()),
    };
    Sentence::fill(template, &places)
}

/// What set a flag.
pub fn activated(by: &str, steps: &Steps, words: &Words) -> Sentence {
    let operation = steps.step_1.structured_request_object.operation.as_deref();
    let (template, name) = match (by.strip_prefix("zone "), by.strip_prefix("mode ")) {
        (Some(zone), _) => (words.flags.zone, zone),
        (_, Some(mode)) => (words.flags.mode, mode),
        _ if operation == Some(by) => (words.flags.operation, by),
        _ => (words.flags.complexity, by),
    };
    Sentence::fill(template, &[named(name)])
}

/// The label of a kind of risk.
pub const fn risk_kind(kind: RiskKind, words: &'static Words) -> &'static str {
    match kind {
        RiskKind::Complexity => words.risks.complexity,
        RiskKind::Resource => words.risks.resource,
        RiskKind::Uncertainty => words.risks.uncertainty,
    }
}

/// What a kind of risk goes by.
pub fn risk(risk: &RiskTold, pressure: &Pressure, words: &Words) -> Sentence {
    let risks = &words.risks;
    match (risk.kind, risk.amount, pressure.worst) {
        (RiskKind::Complexity, Some(score), _) => Sentence::fill(risks.complexity_is, &[rounded(score)]),
        (RiskKind::Complexity, None, _) => Sentence::ours(risks.complexity_unknown),
        (RiskKind::Resource, Some(used), Some(worst)) => Sentence::fill(
            risks.zone_used,
            &[named(pressure.zone.name()), resource(worst, words), hundredths(used)],
        ),
        (RiskKind::Resource, _, _) => Sentence::fill(risks.zone_unknown, &[named(pressure.zone.name())]),
        (RiskKind::Uncertainty, doubt, _) => {
            Sentence::fill(risks.doubt, &[rounded(doubt.unwrap_or(Points::ONE))])
        }
    }
}

/// The word for how much there is.
pub const fn level(level: RiskLevel, words: &'static Words) -> &'static str {
    match level {
        RiskLevel::High => words.degrees.high,
        RiskLevel::Medium => words.degrees.medium,
        RiskLevel::Low => words.degrees.low,
        RiskLevel::Unknown => words.degrees.unknown,
    }
}

/// The word for how strict a threshold is.
pub const fn strictness(level: Level, words: &'static Words) -> &'static str {
    match level {
        Level::Strict => words.degrees.strict,
        Level::Moderate => words.degrees.moderate,
        Level::Lenient => words.degrees.lenient,
    }
}

/// The label of a part of the total risk.
pub const fn risk_part(part: RiskPart, words: &'static Words) -> &'static str {
    match part {
        RiskPart::Complexity => words.risks.part_complexity,
        RiskPart::Failure => words.risks.part_failure,
        RiskPart::Exhaustion => words.risks.part_exhaustion,
        RiskPart::Cascade => words.risks.part_cascade,
    }
}

/// What makes something likely.
pub fn cause(cause: Cause, words: &Words) -> Sentence {
    let risks = &words.risks;
    // Bands and zones are labels, and the same in every language.
    let (band, zone) = (|band: Band| vec![named(band.name())], |zone: Zone| vec![named(zone.name())]);
    let (template, places) = match cause {
        Cause::Band(own) => (risks.cause_band, band(own)),
        Cause::BandUnknown => (risks.cause_band_unknown, Vec::new()),
        Cause::Failed(share) => (risks.cause_failed, vec![hundredths(share)]),
        Cause::SpecialistFailed(share) => (risks.cause_specialist_failed, vec![hundredths(share)]),
        Cause::FailedUnknown => (risks.cause_failed_unknown, Vec::new()),
        Cause::Used(worst, share) => (risks.cause_used, vec![resource(worst, words), hundredths(share)]),
        Cause::Green => (risks.cause_green, zone(Zone::Green)),
        Cause::MachineUnknown => (risks.cause_machine_unknown, zone(Zone::Green)),
        Cause::Spread(Band::Simple) => (risks.cause_simple, band(Band::Simple)),
        Cause::Spread(Band::Moderate) => (risks.cause_moderate, band(Band::Moderate)),
        Cause::Spread(Band::Complex) => (risks.cause_complex, band(Band::Complex)),
        Cause::SpreadUnknown => (risks.cause_spread_unknown, band(Band::Moderate)),
        Cause::Areas(count) => (risks.cause_areas, vec![Sentence::ours(count.to_string())]),
        Cause::Production => (risks.cause_production, Vec::new()),
        Cause::Critical => (risks.cause_critical, Vec::new()),
    };
    Sentence::fill(template, &places)
}

/// What the best specialist lacks, where the universal agent takes it.
pub fn uncertainties(steps: &Steps, words: &'static Words) -> Vec<Sentence> {
    let Some(gap) = steps.step_5.gap else { return Vec::new() };
    let Some(nearest) = &steps.step_4.candidate else { return vec![Sentence::ours(words.advice.nobody)] };
    let sure = exact(steps.step_4.base_confidence_score);
    let mut told = vec![Sentence::fill(words.advice.nearest, &[named(nearest), sure, amount(gap)])];
    let told_by = [FactorKind::Pattern, FactorKind::Domain];
    for weak in steps.step_4.factors.iter().filter(|own| told_by.contains(&own.kind)) {
        let parts = weak.parts.iter().map(|own| part(own.key, own.about.as_deref(), words));
        let mut parts = Sentence::join(parts, ", ");
        if parts.0.is_empty() {
            parts = Sentence::ours(words.parts.nothing);
        }
        told.push(Sentence::join([Sentence::ours(factor(weak.kind, words)), parts], ": "));
    }
    told
}

/// What is suggested: by the zone, and for the threshold. That safe mode is, the risk says.
pub fn suggestions(trace: &Trace, steps: &Steps, words: &Words) -> Vec<Sentence> {
    let mut told = Vec::new();
    if let Some(actions) = trace.preflight.as_ref().map(|preflight| &preflight.actions) {
        let consider = |what: &String| Sentence::fill(words.advice.consider, &[named(what)]);
        told.extend(actions.suggested.iter().map(consider));
        told.extend(actions.say.as_deref().map(Sentence::told));
        told.extend(actions.held.as_ref().map(|why| held(actions.permission, why, words)));
    }
    // Where nobody takes it, something else than the threshold stood in the way.
    if let Some(gap) = steps.step_5.gap.filter(|_| steps.step_5.agent.is_some()) {
        told.push(Sentence::fill(words.advice.review, &[amount(gap)]));
    }
    told
}

/// What holds the task back.
fn held(permission: Permission, held: &Held, words: &Words) -> Sentence {
    let advice = &words.advice;
    let work = match &held.work {
        Work::Heavy => Sentence::ours(advice.heavy),
        Work::NotEssential => Sentence::ours(advice.not_essential),
        Work::Named(name) => Sentence::fill(advice.named, &[named(name)]),
    };
    let template = if permission == Permission::Blocked { advice.blocked } else { advice.deferred };
    Sentence::fill(template, &[named(held.zone.name()), work])
}

fn resource(resource: Resource, words: &Words) -> Sentence {
    Sentence::ours(match resource {
        Resource::Memory => words.risks.memory,
        Resource::Cpu => words.risks.cpu,
        Resource::Disk => words.risks.disk,
    })
}

fn named(name: &str) -> Sentence {
    Sentence::name(name)
}

fn amount(points: Points) -> Sentence {
    Sentence::ours(decimals(points))
}

/// Two decimals, which is enough for what decides nothing by itself.
fn rounded(points: Points) -> Sentence {
    Sentence::ours(points.to_string())
}

fn exact(confidence: Confidence) -> Sentence {
    amount(confidence.points())
}

fn hundredths(share: Points) -> Sentence {
    Sentence::ours(percent(share).to_string())
}

/// Two decimals, or as many as it has: a gap that decides is never shown as nothing.
pub fn decimals(points: Points) -> String {
    let full = format!("{points:.6}");
    let (whole, decimals) = full.split_once('.').unwrap_or((&full, ""));
    format!("{whole}.{:0<2}", decimals.trim_end_matches('0'))
}
