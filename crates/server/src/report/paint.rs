//! Which parts are painted, and how? Meaning first: a style is named by what it says.

/// Whether output is painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paint {
    /// With ANSI styles.
    On,
    /// As plain text.
    Off,
}

impl Paint {
    /// What matters most.
    pub fn strong(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// What may be passed over.
    pub fn faint(self, text: &str) -> String {
        self.wrap("2", text)
    }

    /// What went well.
    pub fn good(self, text: &str) -> String {
        self.wrap("1;32", text)
    }

    /// What deserves a second look.
    pub fn doubt(self, text: &str) -> String {
        self.wrap("1;33", text)
    }

    /// What went wrong.
    pub fn bad(self, text: &str) -> String {
        self.wrap("1;31", text)
    }

    /// What belongs together.
    pub fn accent(self, text: &str) -> String {
        self.wrap("36", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        match self {
            Paint::On if !text.is_empty() => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
            _ => text.to_owned(),
        }
    }
}

/// Text that cannot move the cursor, ring the bell or turn the line around: what came from outside is
/// shown, never obeyed.
pub fn tame(text: &str) -> String {
    text.chars().map(tame_char).collect()
}

/// One character, made harmless.
pub fn tame_char(c: char) -> char {
    match c {
        '\t' => ' ',
        '\u{7f}' => '\u{2421}',
        c if c.is_ascii_control() => char::from_u32(0x2400 + c as u32).unwrap_or('\u{fffd}'),
        '\u{80}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' => {
            '\u{fffd}'
        }
        c => c,
    }
}

/// Text of several lines, each made harmless.
pub fn tame_lines(text: &str) -> String {
    text.chars().map(|c| if c == '\n' { c } else { tame_char(c) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_from_outside_is_shown_and_never_obeyed() {
        assert_eq!(tame("\u{1b}[31mred\u{7}\u{202e}\t!"), "␛[31mred␇\u{fffd} !");
        assert_eq!(tame_lines("a\nb\r\u{9b}"), "a\nb␍\u{fffd}");
        assert_eq!(tame("é 数 🙂"), "é 数 🙂");
    }

    #[test]
    fn paint_is_on_or_off() {
        assert_eq!(Paint::On.bad("x"), "\u{1b}[1;31mx\u{1b}[0m");
        assert_eq!(Paint::Off.bad("x"), "x");
        assert_eq!(Paint::On.strong(""), "");
    }
}
