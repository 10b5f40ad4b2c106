//! The page people show each other, as one HTML file that needs nothing else.

use std::fmt::Write as _;

use waypost::Trace;
use waypost::core::measure::Confidence;
use waypost::core::trace::{CatalogRef, Evidence, RouteEvidence};

use super::Paint;
use super::marks::Mark;
use super::page::{Candidate, Page, points, quote};
use super::paint::tame_char;
use super::summary::headline;

/// The whole page.
pub fn html(trace: &Trace) -> String {
    let page = Page::new(trace);
    let title = escape(&headline(&page.headline, Paint::Off));
    let target = page.target.as_ref().map(|target| format!("<p>Target: <code>{}</code></p>", escape(target)));
    let reasons: String = page.trees.iter().map(|route| tree(route)).collect();
    let body = [
        format!("<p class=\"message\">{}</p>", message(&page.message)),
        format!("<h1 class=\"{}\">{title}</h1>\n<p>{}</p>", page.headline.outcome.name(), escape(page.why)),
        question(&page),
        target.unwrap_or_default(),
        section("Gates", &list(&page.gates)),
        section("Forbidden", &list(&page.blocked)),
        section("Tools", &list(&page.tools)),
        section("Passages", &list(&page.sources)),
        section("Also in the message", &list(&page.parts)),
        section("Kind of request", &list(&page.context)),
        section("Candidates", &candidates(&page)),
        section("Reasons", &reasons),
        section("Learned from examples", &list(&page.learned)),
        section("Threshold and margin", &list(&page.bounds)),
        section("What would have changed it", &list(page.what_if)),
        section("Notes", &list(page.notes)),
        footer(&trace.answer.catalog, &trace.answer.id),
    ];
    document(&format!("Waypost: {title}"), STYLE, &body.join("\n"))
}

/// A whole file around a body. The title is escaped by the caller, like everything else.
pub(super) fn document(title: &str, style: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )
}

/// The look of every page.
pub(super) const STYLE: &str = "
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
.quote{color:var(--soft)}footer{margin-top:3rem;color:var(--soft);font-size:.8rem;overflow-wrap:anywhere}
";

/// Text that HTML shows and never obeys.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(c),
            c => escaped.push(tame_char(c)),
        }
    }
    escaped
}

/// A part of the page under its heading; nothing where there is nothing to say.
pub(super) fn section(heading: &str, body: &str) -> String {
    if body.is_empty() { String::new() } else { format!("<h2>{heading}</h2>\n{body}") }
}

fn list(sentences: &[String]) -> String {
    let items: String = sentences.iter().map(|sentence| format!("<li>{}</li>", escape(sentence))).collect();
    if items.is_empty() { items } else { format!("<ul>{items}</ul>") }
}

/// The message, cut where what its characters did changes.
fn message(message: &[(char, Mark)]) -> String {
    let mut shown = String::new();
    for stretch in message.chunk_by(|(_, a), (_, b)| a == b) {
        let text = escape(&stretch.iter().map(|(c, _)| c).collect::<String>());
        let _ = match stretch.first().map_or(Mark::None, |(_, mark)| *mark) {
            Mark::None => write!(shown, "{text}"),
            Mark::Aside => write!(shown, "<mark title=\"noticed, and not what decided\">{text}</mark>"),
            Mark::Denied => {
                write!(shown, "<mark class=\"denied\" title=\"denied in the message\">{text}</mark>")
            }
            Mark::Counted => {
                write!(shown, "<mark class=\"counted\" title=\"spoke for the route taken\">{text}</mark>")
            }
        };
    }
    if shown.is_empty() { "<em>an empty message</em>".to_owned() } else { shown }
}

fn question(page: &Page<'_>) -> String {
    let Some((question, options)) = &page.question else { return String::new() };
    let option = |(name, what): &(&str, &str)| format!("<li><b>{}</b>: {}</li>", escape(name), escape(what));
    format!("<p>{}</p><ol>{}</ol>", escape(question), options.iter().map(option).collect::<String>())
}

fn candidates(page: &Page<'_>) -> String {
    let row = |candidate: &Candidate<'_>| {
        format!(
            "<tr><td>{}</td><td><div class=\"bar\"><i style=\"width:{:.1}%\"></i><b style=\"left:{:.1}%\"></b></div></td>\
             <td class=\"points\">{}</td><td class=\"why\">{}</td></tr>\n",
            escape(candidate.name),
            percent(candidate.confidence),
            percent(page.threshold),
            candidate.confidence,
            escape(candidate.verdict)
        )
    };
    let rows: String = page.candidates.iter().map(row).collect();
    let more = match page.more_candidates {
        0 => String::new(),
        more => format!("<p class=\"aside\">and {more} more that nothing spoke for</p>"),
    };
    format!("<table>\n{rows}</table>{more}")
}

fn percent(confidence: Confidence) -> f64 {
    confidence.points().share() * 100.0
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
        let class = if reason.counts { "" } else { "aside" };
        let quote = quote(reason).map(|quote| format!(" <span class=\"quote\">{}</span>", escape(&quote)));
        format!(
            "<li class=\"{class}\"><span class=\"points\">{}</span> <code>{}</code>{}{}</li>\n",
            points(reason),
            escape(&reason.what),
            quote.unwrap_or_default(),
            branches(&reason.parts)
        )
    };
    format!("<ul>\n{}</ul>\n", reasons.iter().map(branch).collect::<String>())
}

fn footer(catalog: &CatalogRef, id: &str) -> String {
    let (name, hash, id) = (escape(&catalog.name), escape(&catalog.hash), escape(id));
    format!("<footer>catalog {name} · {hash}<br>decision {id}</footer>")
}
