//! The page people show each other, as one HTML file that needs nothing else.

use std::fmt::Write as _;

use waypost::Trace;
use waypost::core::measure::Confidence;
use waypost::core::trace::{Evidence, RouteEvidence};

use super::Paint;
use super::marks::{Mark, stretches};
use super::summary::headline;

/// Candidates shown; a page of thousands helps nobody.
const CANDIDATES_MAX: usize = 40;

/// The whole page.
pub fn html(trace: &Trace) -> String {
    let answer = &trace.answer;
    let title = escape(&headline(answer, Paint::Off));
    let body = [
        format!("<p class=\"message\">{}</p>", message(trace)),
        format!("<h1 class=\"{}\">{title}</h1><p>{}</p>", answer.outcome.name(), escape(&answer.message)),
        question(trace),
        targets(trace),
        candidates(trace),
        reasons(trace),
        bounds(trace),
        what_if(trace),
        format!(
            "<footer>catalog {} · {}<br>decision {}</footer>",
            escape(&answer.catalog.name),
            escape(&answer.catalog.hash),
            escape(&answer.id)
        ),
    ];
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Waypost: {title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{}\n</body>\n</html>\n",
        body.join("\n")
    )
}

const STYLE: &str = "
:root{--ink:#1a1f2b;--paper:#fff;--soft:#667085;--line:#e4e7ec;--bar:#3b82f6;--for:#bfdbfe;--aside:#e5e7eb;--denied:#fecaca;--good:#15803d;--doubt:#b45309}
@media(prefers-color-scheme:dark){:root{--ink:#e5e7eb;--paper:#11151c;--soft:#98a2b3;--line:#2a3140;--bar:#60a5fa;--for:#1e3a5f;--aside:#303745;--denied:#5b2327;--good:#4ade80;--doubt:#fbbf24}}
body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color:var(--ink);background:var(--paper)}
.message{font-size:1.25rem;white-space:pre-wrap;overflow-wrap:anywhere;border-left:4px solid var(--bar);padding-left:1rem}
mark{color:inherit;border-radius:.2em;padding:.05em 0;background:var(--aside)}
mark.counted{background:var(--for)}mark.denied{background:var(--denied);text-decoration:line-through}
h1{font-size:1.4rem;margin-bottom:0}h1.act{color:var(--good)}h1.clarify,h1.abstain{color:var(--doubt)}
h2{font-size:1rem;margin-top:2rem;border-bottom:1px solid var(--line)}
table{border-collapse:collapse;width:100%}td{padding:.25rem .5rem;vertical-align:middle}td.why{color:var(--soft)}
.bar{position:relative;height:.8rem;background:var(--aside);border-radius:.4rem;min-width:10rem}
.bar i{position:absolute;inset:0 auto 0 0;background:var(--bar);border-radius:.4rem}
.bar b{position:absolute;top:-.2rem;bottom:-.2rem;width:2px;background:var(--doubt)}
ul{list-style:none;padding-left:1.2rem;border-left:1px solid var(--line);margin:.2rem 0}
code{font-family:ui-monospace,monospace;font-size:.9em;overflow-wrap:anywhere}
.points{font-variant-numeric:tabular-nums;font-weight:600}.aside{color:var(--soft)}
q{color:var(--soft)}footer{margin-top:3rem;color:var(--soft);font-size:.8rem;overflow-wrap:anywhere}
";

/// Text that HTML shows and never obeys.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(c),
            c => escaped.push(super::paint::tame_char(c)),
        }
    }
    escaped
}

fn message(trace: &Trace) -> String {
    let mut shown = String::new();
    for stretch in stretches(trace) {
        let text = escape(&stretch.text);
        let (class, title) = match stretch.mark {
            Mark::None => {
                shown += &text;
                continue;
            }
            Mark::Aside => ("aside", "spoke for a route that was not taken"),
            Mark::Denied => ("denied", "denied in the message"),
            Mark::Counted => ("counted", "spoke for the route taken"),
        };
        let _ = write!(shown, "<mark class=\"{class}\" title=\"{title}\">{text}</mark>");
    }
    if shown.is_empty() { "<em>an empty message</em>".to_owned() } else { shown }
}

fn question(trace: &Trace) -> String {
    let Some(clarification) = &trace.answer.clarification else { return String::new() };
    let options = clarification.options.iter();
    let options = options.map(|o| format!("<li><b>{}</b>: {}</li>", escape(&o.name), escape(&o.description)));
    format!("<p>{}</p><ol>{}</ol>", escape(&clarification.question), options.collect::<String>())
}

fn targets(trace: &Trace) -> String {
    let Some(first) = trace.answer.routes.first() else { return String::new() };
    let known = first.target.iter().map(|target| format!("<p>Target: <code>{}</code></p>", escape(target)));
    let unknown = first.target_unresolved.iter();
    let unknown = unknown.map(|target| format!("<p>Target: <code>{}</code> (unknown)</p>", escape(target)));
    known.chain(unknown).collect()
}

fn candidates(trace: &Trace) -> String {
    let answer = &trace.answer;
    let taken =
        answer.route.as_ref().and_then(|route| answer.routes.iter().find(|ranked| ranked.name == *route));
    let taken = taken.map(|taken| (taken.name.as_str(), taken.confidence, "taken"));
    let losers = answer.considered.iter().map(|c| (&*c.name, c.confidence, &*c.rejected));
    let row = |(name, confidence, verdict): (&str, Confidence, &str)| {
        format!(
            "<tr><td>{}</td><td><div class=\"bar\"><i style=\"width:{:.1}%\"></i><b style=\"left:{:.1}%\"></b></div></td>\
             <td class=\"points\">{confidence}</td><td class=\"why\">{}</td></tr>\n",
            escape(name),
            percent(confidence),
            percent(answer.threshold.value),
            escape(verdict)
        )
    };
    let rows: String = taken.into_iter().chain(losers).take(CANDIDATES_MAX).map(row).collect();
    let all = answer.considered.len() + usize::from(answer.route.is_some());
    let more = all.saturating_sub(CANDIDATES_MAX);
    let more = if more > 0 { format!("<p class=\"aside\">and {more} more</p>") } else { String::new() };
    format!("<h2>Candidates</h2>\n<table>\n{rows}</table>{more}")
}

fn percent(confidence: Confidence) -> f64 {
    confidence.points().share() * 100.0
}

fn reasons(trace: &Trace) -> String {
    let first = trace.answer.route.as_deref();
    let (taken, others): (Vec<_>, Vec<_>) =
        trace.evidence.iter().partition(|route| Some(route.name.as_str()) == first);
    let trees: String = taken.into_iter().chain(others).map(tree).collect();
    if trees.is_empty() { String::new() } else { format!("<h2>Reasons</h2>\n{trees}") }
}

fn tree(route: &RouteEvidence) -> String {
    let (name, confidence) = (escape(&route.name), route.confidence);
    format!("<p><span class=\"points\">{confidence}</span> <b>{name}</b></p>\n{}", branches(&route.reasons))
}

fn branches(reasons: &[Evidence]) -> String {
    if reasons.is_empty() {
        return String::new();
    }
    let branch = |reason: &Evidence| {
        let (class, points) = if reason.counts {
            ("", format!("{:+}", reason.points))
        } else {
            ("aside", format!("({})", reason.points))
        };
        let quote =
            reason.text.as_deref().map(|text| format!(" <q>{}</q>", escape(text))).unwrap_or_default();
        format!(
            "<li class=\"{class}\"><span class=\"points\">{points}</span> <code>{}</code>{quote}{}</li>\n",
            escape(&reason.what),
            branches(&reason.parts)
        )
    };
    format!("<ul>\n{}</ul>\n", reasons.iter().map(branch).collect::<String>())
}

fn bounds(trace: &Trace) -> String {
    let (threshold, margin) = (&trace.answer.threshold, &trace.answer.margin);
    let ahead = match (&margin.value, &margin.runner_up) {
        (Some(value), Some(next)) => {
            format!("Margin {value:+} over {}; within {} priority settles it.", escape(next), margin.window)
        }
        (Some(value), None) => format!("Margin {value:+}: no other route has any confidence."),
        (None, _) => "No margin, as no route was taken.".to_owned(),
    };
    let asked = escape(&threshold.reason);
    format!("<h2>Threshold and margin</h2>\n<p>Threshold {}: {asked}<br>{ahead}</p>", threshold.value)
}

fn what_if(trace: &Trace) -> String {
    let sentences: String = trace.what_if.iter().map(|s| format!("<li>{}</li>", escape(s))).collect();
    if sentences.is_empty() {
        sentences
    } else {
        format!("<h2>What would have changed it</h2>\n<ul>{sentences}</ul>")
    }
}
