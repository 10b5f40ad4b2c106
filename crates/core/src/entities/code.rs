//! Which pieces come from code? Repositories, services, versions and identifiers, and files by `files`.

use std::ops::Range;
use std::sync::LazyLock;

use super::files;
use super::page::{Chunk, Has, Page, Shape};
use super::vocabulary::{List, Traits, list_of};
use super::{EntityKind, Found};

/// What stands between slashes and is no path.
static NOT_PATHS: List = LazyLock::new(|| {
    list_of("and/or ci/cd tcp/ip he/she his/her him/her she/her they/them w/o n/a i/o a/b on/off yes/no true/false
    client/server read/write input/output either/or s/he b/c 24/7 pass/fail start/stop up/down in/out w/ km/h m/s")
});

/// Names written like tickets that are standards and products.
static NOT_TICKETS: List = LazyLock::new(|| {
    list_of("utf sha iso rfc covid gpt aes rsa md http https mp tls ssl ipv x cve-id f b a us en es")
});

/// Words in two cases that are names of products.
static NOT_IDENTIFIERS: List = LazyLock::new(|| {
    list_of("iphone ipad ipod imac ebay github gitlab javascript typescript postgresql mysql youtube linkedin
    openai macos ios devops graphql nosql mongodb dynamodb bigquery powershell powerpoint wordpress whatsapp paypal facebook
    doordash fedex macbook airpods nodejs latex webassembly websocket websockets oauth wifi saas paas mcdonald mcdonalds
    pytorch tensorflow numpy scipy fastapi sqlite redis kubernetes intellij vscode jquery airbnb chatgpt bitbucket tiktok")
});

/// Finds them in a piece of the text.
pub(super) fn notice(chunk: &Chunk<'_>, page: &Page<'_>, found: &mut Found) {
    let text = chunk.text;
    if text.is_empty() || text.contains("://") {
        if let Some(repository) = repository_of_url(text) {
            found.add(EntityKind::Repository, chunk.start..chunk.start + repository, 98, "repository's url");
        }
        return;
    }
    let all = chunk.start..chunk.start + text.len();
    let lower = text.to_lowercase();
    if NOT_PATHS.contains(lower.as_str()) {
        return;
    }
    if let Some((confidence, rule)) = files::judge(text, &lower) {
        found.add(EntityKind::File, all, confidence, rule);
    } else if let Some(confidence) = judge_repository(chunk, page) {
        found.add(EntityKind::Repository, all, confidence, "owner and name");
    } else if is_service(text, &lower) {
        found.add(EntityKind::Service, all, 85, "named as a service");
    } else if let Some((end, confidence)) = judge_version(chunk, page) {
        found.add(EntityKind::Version, chunk.start..chunk.start + end, confidence, "version");
    } else {
        notice_identifier(chunk, &lower, page, found);
    }
}

/// Finds what words say: "the waypost repo", "the payments service", "Python 3".
pub(super) fn notice_spoken(page: &Page<'_>, found: &mut Found) {
    for word in 1..page.words.len() {
        let text = page.word(word);
        if text.eq_ignore_ascii_case("service") {
            let name = name_before(page, word, &SERVICES);
            let name =
                name.filter(|_| !EVERYDAY_SERVICES.contains(page.word(word - 1).to_lowercase().as_str()));
            found.add(EntityKind::Service, name.unwrap_or_default(), 55, "called a service");
        } else if text.eq_ignore_ascii_case("repo") || text.eq_ignore_ascii_case("repository") {
            let name = name_before(page, word, &NO_REPOSITORIES);
            found.add(EntityKind::Repository, name.unwrap_or_default(), 60, "called a repository");
        } else if is_version_number(page, word) {
            found.add(EntityKind::Version, page.range(word, word), 60, "number behind software");
        }
    }
}

/// The name that an article and this word enclose, hyphens in it included; plain words only if they are listed.
fn name_before(page: &Page<'_>, word: usize, listed: &List) -> Option<Range<usize>> {
    let last = word.checked_sub(1)?;
    let head = page.text.get(..page.end(last))?;
    let name = head.rsplit(char::is_whitespace).next()?;
    let start = head.len() - name.len();
    let article = page.word(page.word_at(start).checked_sub(1)?);
    let enclosed =
        matches!(article, "the" | "our" | "this" | "The" | "Our" | "This") && page.gap(last) == " ";
    let other = Traits::PLAIN | Traits::KIN | Traits::TITLE | Traits::CUE_PLACE;
    let named = !page.is(last, other)
        || name.contains(['-', '_'])
        || listed.contains(page.word(last).to_lowercase().as_str());
    (enclosed && named).then_some(start..page.end(last))
}

/// Whether a short number stands behind the name of software, and in nothing else.
fn is_version_number(page: &Page<'_>, word: usize) -> bool {
    let after = page.gap(word);
    let ends = !after.starts_with(['.', ':', '%', '/', '-']) || after.starts_with(". ");
    page.shape(word) == Some(Shape::Digits)
        && page.word(word).len() <= 3
        && page.gap(word - 1) == " "
        && page.is(word - 1, Traits::VERSIONED)
        && page.shape(word - 1) != Some(Shape::Lower)
        && ends
        && !page.is(word + 1, Traits::TIME_UNIT | Traits::MEASURE | Traits::CURRENCY)
}

/// Plain words that name services of software.
static SERVICES: List = LazyLock::new(|| {
    list_of(
        "account accounts billing data email file message messages order payment product report review search user users",
    )
});

/// No plain word names a repository.
static NO_REPOSITORIES: List = LazyLock::new(|| list_of(""));

/// Services that are no software.
static EVERYDAY_SERVICES: List = LazyLock::new(|| {
    list_of(
        "customer phone internet cable car room cell mobile delivery secret military community public food health web
         mail tv civil rental taxi bus self lip oil streaming financial tire",
    )
});

/// How much of a URL names a repository.
fn repository_of_url(text: &str) -> Option<usize> {
    let rest = ["github.com/", "gitlab.com/", "bitbucket.org/"].iter().find_map(|host| {
        let at = text.find(host)?;
        Some(at + host.len())
    })?;
    let mut parts = text.get(rest..)?.split(['/', '?', '#']);
    let (owner, name) = (parts.next()?, parts.next()?);
    (!owner.is_empty() && !name.is_empty()).then_some(rest + owner.len() + 1 + name.len())
}

/// Whether it is `owner/name`: one slash, both sides names, and a reason to think so.
fn judge_repository(chunk: &Chunk<'_>, page: &Page<'_>) -> Option<i32> {
    if !chunk.has.any(Has::SLASH) && !chunk.has.any(Has::AT) {
        return None;
    }
    if let Some((host, path)) = chunk.text.split_once(':')
        && host.starts_with("git@")
        && path.contains('/')
    {
        return Some(97);
    }
    let (owner, name) = chunk.text.split_once('/')?;
    let is_name = |part: &str| {
        part.len() >= 2
            && part.starts_with(|c: char| c.is_ascii_alphabetic())
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
    };
    if !is_name(owner) || !is_name(name) {
        return None;
    }
    let word = page.word_at(chunk.start);
    let words = 1 + chunk.text.matches(|c: char| !c.is_alphanumeric()).count();
    let cued = page.cued(word, 4, Traits::CUE_REPOSITORY)
        || page.cued_after(word + words, 3, Traits::CUE_REPOSITORY);
    let coded = chunk.text.contains(['-', '_']) && !chunk.has.any(Has::UPPER);
    if cued { Some(90) } else { coded.then_some(60) }
}

fn is_service(text: &str, lower: &str) -> bool {
    let stem = ["-service", "_service", "-svc", "-api"].iter().find_map(|ending| lower.strip_suffix(ending));
    let camel = text.strip_suffix("Service").is_some_and(|stem| stem.len() > 1);
    camel
        || stem.is_some_and(|stem| stem.len() > 1 && stem != "self" && stem.starts_with(char::is_alphabetic))
}

/// How much of a piece is a version, and how sure that is.
fn judge_version(chunk: &Chunk<'_>, page: &Page<'_>) -> Option<(usize, i32)> {
    let text = chunk.text;
    let bare = text.strip_prefix(['v', 'V', '^', '~']).unwrap_or(text).trim_start_matches('=');
    if !bare.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let numbers = bare.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
    let (core, tail) = bare.split_at_checked(numbers)?;
    let parts: Vec<&str> = core.split('.').collect();
    let tailed = tail.starts_with(['-', '+', 'r', 'a', 'b'])
        && tail.len() > 1
        && tail.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'+'));
    if parts.iter().any(|part| part.is_empty() || part.len() > 4)
        || !(tail.is_empty() || tailed || tail == ".x")
    {
        return None;
    }
    let marked = bare.len() < text.len();
    let cued = page.cued(page.word_at(chunk.start), 1, Traits::VERSIONED);
    let is_date = parts.len() == 3 && parts.last().is_some_and(|year| year.len() == 4);
    match parts.len() {
        _ if is_date => None,
        1 if marked && tail.is_empty() => Some((text.len(), 70)),
        1 => (cued && tail.is_empty()).then_some((text.len(), 60)),
        2 if marked || cued => Some((text.len(), 90)),
        3 => Some((text.len(), 90)),
        4 if cued || marked => Some((text.len(), 95)),
        _ => None,
    }
}

fn notice_identifier(chunk: &Chunk<'_>, lower: &str, page: &Page<'_>, found: &mut Found) {
    let text = chunk.text.strip_suffix("()").unwrap_or(chunk.text);
    let called = text.len() < chunk.text.len() || chunk.text.ends_with('(');
    let text = text.trim_end_matches('(');
    let judged = judge_ticket(text, lower)
        .or_else(|| judge_random(text, chunk, page))
        .or_else(|| judge_name(text, lower, called));
    if let Some((confidence, rule)) = judged {
        found.add(EntityKind::Identifier, chunk.start..chunk.start + text.len(), confidence, rule);
    }
}

/// `ABC-123`, `#123`, `E0502`.
fn judge_ticket(text: &str, lower: &str) -> Option<(i32, &'static str)> {
    let digits = |part: &str, most: usize| {
        (1..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    if let Some(number) = text.strip_prefix('#') {
        return digits(number, 9).then_some((85, "number with a hash"));
    }
    if let Some((key, number)) = text.split_once('-') {
        let is_key = (2..=10).contains(&key.len())
            && key.starts_with(|c: char| c.is_ascii_uppercase())
            && key.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        let known = NOT_TICKETS.contains({ lower.split('-') }.next().unwrap_or_default());
        let cve = key == "CVE" && number.len() >= 9;
        return (is_key && !known && (digits(number, 6) || cve)).then_some((88, "ticket"));
    }
    let letters = text.bytes().take_while(u8::is_ascii_uppercase).count();
    let (head, number) = text.split_at_checked(letters)?;
    ((1..=4).contains(&head.len()) && (3..=5).contains(&number.len()) && digits(number, 5))
        .then_some((75, "error code"))
}

/// UUIDs and hashes.
fn judge_random(text: &str, chunk: &Chunk<'_>, page: &Page<'_>) -> Option<(i32, &'static str)> {
    let parts: Vec<usize> = text.split('-').map(str::len).take(6).collect();
    let hexadecimal = text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    if parts == [8, 4, 4, 4, 12] && hexadecimal {
        return Some((98, "uuid"));
    }
    let (digits, letters) = text.bytes().fold((0, 0), |(digits, letters), byte| {
        (digits + usize::from(byte.is_ascii_digit()), letters + usize::from(byte.is_ascii_alphabetic()))
    });
    if parts.len() != 1 || !hexadecimal || digits == 0 || letters == 0 || !(7..=64).contains(&text.len()) {
        return None;
    }
    let cue = page.word(page.word_at(chunk.start).wrapping_sub(1)).to_ascii_lowercase();
    let cued =
        matches!(cue.as_str(), "commit" | "sha" | "hash" | "revision" | "rev" | "at" | "to" | "digest");
    match text.len() {
        32 | 40 | 64 => Some((90, "hash")),
        _ if cued => Some((80, "hash")),
        7..=12 if digits >= 2 && letters >= 2 => Some((60, "hash")),
        _ => None,
    }
}

/// Names as code writes them.
fn judge_name(text: &str, lower: &str, called: bool) -> Option<(i32, &'static str)> {
    let is_name = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let path: Vec<&str> = text.split("::").flat_map(|part| part.split('.')).take(8).collect();
    if !path.iter().all(|part| is_name(part))
        || !text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    {
        return None;
    }
    if called && text.len() > 1 {
        return Some((80, "called function"));
    }
    if text.contains("::") && path.len() > 1 {
        return Some((80, "path of names"));
    }
    let last = path.last().copied().unwrap_or_default();
    if last.trim_matches('_').contains('_') && last.bytes().any(|byte| byte.is_ascii_alphabetic()) {
        return Some((85, "snake case"));
    }
    if path.len() > 1
        || NOT_IDENTIFIERS.contains(lower)
        || NOT_IDENTIFIERS.contains(lower.trim_end_matches('s'))
    {
        return None;
    }
    let turns = text
        .as_bytes()
        .windows(2)
        .filter(|pair| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()))
        .count();
    match (turns, text.starts_with(|c: char| c.is_ascii_lowercase())) {
        (0, _) => None,
        (_, true) => Some((75, "camel case")),
        (_, false) if text.len() >= 6 && !text.starts_with("Mc") && !text.starts_with("Mac") => {
            Some((55, "pascal case"))
        }
        _ => None,
    }
}
