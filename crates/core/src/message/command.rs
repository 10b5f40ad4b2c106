//! Was it an order? Commands are split off the front of a message: `/name[:option] the rest`.

use super::span::Span;

/// A command at the start of a message; spans are of the folded text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The name, folded, without its slash.
    pub name: String,
    /// What stood after the colon, folded.
    pub option: Option<String>,
    /// The slash, the name and the option.
    pub span: Span,
}

/// Reads the command of a folded text, if it starts with one. A path (`/etc/passwd`) is none.
pub(super) fn split(text: &str) -> Option<Command> {
    let word = text.strip_prefix('/')?.split(' ').next()?;
    let (name, option) = match word.split_once(':') {
        Some((name, option)) => (name, Some(option)),
        None => (word, None),
    };
    let well_formed = name.starts_with(char::is_alphabetic) && [name].into_iter().chain(option).all(is_plain);
    well_formed.then(|| Command {
        name: name.to_owned(),
        option: option.map(str::to_owned),
        span: Span::new(0..word.len() + 1),
    })
}

fn is_plain(part: &str) -> bool {
    !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<(&str, Option<&str>)>) {
        let command = split(text);
        assert_eq!(command.as_ref().map(|c| (c.name.as_str(), c.option.as_deref())), expected, "{text}");
    }

    #[test]
    fn commands_stand_at_the_start() {
        check("/biomapper-surgical export_dataset", Some(("biomapper-surgical", None)));
        check("/caps:off do it", Some(("caps", Some("off"))));
        check("/help", Some(("help", None)));
        check("use /help", None);
        check("/etc/passwd is gone", None);
        check("/ help", None);
        check("/help:", None);
        check("//x", None);
    }
}
