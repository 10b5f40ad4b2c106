//! Which pieces lead somewhere? E-mail addresses, URLs and addresses of machines.

use std::sync::LazyLock;

use super::page::{Chunk, Has};
use super::vocabulary::{List, list_of};
use super::{EntityKind, Found};

/// Endings of bare domain names that are hardly ever anything else.
static TOP_LEVELS: List = LazyLock::new(|| {
    list_of("com org net edu gov mil info io dev app ai co uk de fr es it nl be ch at pl pt br se no dk fi cz eu us
    ca au jp cn in ru ua ie nz biz xyz tech cloud online site shop")
});

/// Products that are written like domains or files.
static DOTTED_PRODUCTS: List = LazyLock::new(|| {
    list_of("node.js next.js vue.js nuxt.js express.js react.js three.js d3.js ember.js backbone.js
    angular.js chart.js moment.js alpine.js nest.js discord.js electron.js asp.net vb.net ml.net ado.net socket.io")
});

/// Finds them in a piece of the text.
pub(super) fn notice(chunk: &Chunk<'_>, found: &mut Found) {
    if chunk.has.any(Has::AT) {
        notice_emails(chunk, found);
    }
    if chunk.has.any(Has::SLASH) || chunk.has.any(Has::DOT) {
        notice_url(chunk, found);
    }
    if chunk.has.any(Has::DIGIT) && (chunk.has.any(Has::DOT) || chunk.has.any(Has::COLON)) {
        notice_machine(chunk, found);
    }
}

fn notice_emails(chunk: &Chunk<'_>, found: &mut Found) {
    let mut done = 0;
    for (at, _) in chunk.text.match_indices('@') {
        let (Some(before), Some(after)) = (chunk.text.get(done..at), chunk.text.get(at + 1..)) else {
            continue;
        };
        let local = before.chars().rev().take_while(|c| is_local(*c)).map(char::len_utf8).sum::<usize>();
        let local_text = before.get(before.len() - local..).unwrap_or_default();
        let local_text = local_text.trim_start_matches(['.', '-', '+']);
        let domain = domain_of(after);
        if local_text.is_empty() || domain.is_empty() {
            continue;
        }
        let start = chunk.start + at - local_text.len();
        let end = chunk.start + at + 1 + domain.len();
        let is_remote =
            local_text == "git" && after.get(domain.len()..).is_some_and(|rest| rest.starts_with(':'));
        if !is_remote {
            found.add(EntityKind::Email, start..end, 97, "e-mail address");
        }
        done = at + 1 + domain.len();
    }
}

fn is_local(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '_' | '%' | '+' | '-')
}

/// The domain a text begins with: labels, dots, and letters last. Nothing where there is none.
fn domain_of(text: &str) -> &str {
    let length: usize =
        text.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '.' | '-')).map(char::len_utf8).sum();
    let domain = text.get(..length).unwrap_or_default().trim_end_matches(['.', '-']);
    let Some((labels, last)) = domain.rsplit_once('.') else { return "" };
    let fits = last.chars().count() >= 2
        && last.chars().all(char::is_alphabetic)
        && labels
            .split('.')
            .all(|label| !label.is_empty() && !label.starts_with('-') && !label.ends_with('-'));
    if fits { domain } else { "" }
}

fn notice_url(chunk: &Chunk<'_>, found: &mut Found) {
    let text = chunk.text;
    let range = |from: usize| chunk.start + from..chunk.start + text.len();
    if let Some(at) = text.find("://") {
        let before = text.get(..at).unwrap_or_default();
        let scheme =
            before.rsplit(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '+' | '-' | '.')).next();
        let scheme = scheme.unwrap_or_default();
        if !scheme.is_empty() && text.len() > at + 3 {
            found.add(EntityKind::Url, range(at - scheme.len()), 97, "url with a scheme");
        }
        return;
    }
    let host = text.split(['/', '?', '#', ':']).next().unwrap_or_default();
    let lower = host.to_ascii_lowercase();
    if lower.contains('@') || host.is_empty() {
        return;
    }
    if DOTTED_PRODUCTS.contains(lower.as_str()) {
        found.add(EntityKind::Product, chunk.start..chunk.start + host.len(), 96, "product with a dot");
    } else if lower.starts_with("www.") && !domain_of(&lower).is_empty() {
        found.add(EntityKind::Url, range(0), 95, "www");
    } else if !host.contains('\\') && domain_of(host).len() == host.len() && is_domain(&lower) {
        let confidence = if host.len() < text.len() { 85 } else { 70 };
        found.add(EntityKind::Url, range(0), confidence, "domain name");
    }
}

/// Whether a piece of text is the name of a host: all of it, and ending as names of hosts do.
pub(crate) fn is_host(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    domain_of(&lower).len() == lower.len() && (lower.starts_with("www.") || is_domain(&lower))
}

/// Whether a bare name ends as domains do and files and sentences do not.
fn is_domain(lower: &str) -> bool {
    let Some((name, last)) = lower.rsplit_once('.') else { return false };
    name.len() >= 2 && TOP_LEVELS.contains(last) && name.chars().any(char::is_alphabetic)
}

fn notice_machine(chunk: &Chunk<'_>, found: &mut Found) {
    // Machines stand in the middle of other signs often enough: "client_ip=|10.0.0.1|".
    let is_sign = |c: char| !(c.is_ascii_hexdigit() || matches!(c, '.' | ':'));
    let mut at = 0;
    for piece in chunk.text.split_inclusive(is_sign) {
        let bare = piece.trim_end_matches(is_sign);
        let name = bare.trim_matches(['.', ':']);
        let name = if bare.starts_with("::") { bare } else { name };
        let start = chunk.start + at + bare.find(name).unwrap_or_default();
        at += piece.len();
        let host =
            if name.matches(':').count() == 1 { name.split(':').next().unwrap_or_default() } else { name };
        let glued =
            chunk.text.get(..start - chunk.start).is_some_and(|before| before.ends_with(['v', 'V', '-']));
        if is_v4(host) && !glued {
            found.add(EntityKind::IpAddress, start..start + host.len(), 92, "ip v4");
        } else if is_v6(name) {
            found.add(EntityKind::IpAddress, start..start + name.len(), 92, "ip v6");
        }
    }
}

/// Four numbers of a byte each, written without noughts before them.
fn is_v4(text: &str) -> bool {
    let is_byte = |part: &str| {
        part.len() <= 3 && !(part.len() > 1 && part.starts_with('0')) && part.parse::<u8>().is_ok()
    };
    text.split('.').count() == 4 && text.split('.').all(is_byte)
}

/// Eight groups of up to four hexadecimal digits, or fewer with one `::`; with three groups at least, since
/// code is full of colons.
fn is_v6(text: &str) -> bool {
    if text == "::1" {
        return true;
    }
    let groups: Vec<&str> = text.split(':').collect();
    let full = groups.iter().filter(|group| !group.is_empty()).count();
    let hexadecimal =
        groups.iter().all(|group| group.len() <= 4 && group.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let short = text.matches("::").count();
    hexadecimal
        && text.bytes().any(|byte| byte.is_ascii_digit())
        && ((short == 0 && full == 8) || (short == 1 && (3..8).contains(&full) && !text.contains(":::")))
}
