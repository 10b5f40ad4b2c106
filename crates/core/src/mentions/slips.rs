//! Was another word meant? One with a slip of the hand.

/// Shortest word that is taken for a slip: shorter ones are words of their own.
const LETTERS_MIN: usize = 5;

/// Whether a word is another with two letters changed over, one left out or one doubled. Other errors make other words:
/// "thirsty", "mighty", "sundry". The first letter is hardly ever wrong.
pub(super) fn is_slip(said: &str, meant: &str) -> bool {
    let (said, meant) = (said.as_bytes(), meant.as_bytes());
    if said.first() != meant.first() || said.len() < LETTERS_MIN || said.len().abs_diff(meant.len()) > 1 {
        return false;
    }
    let same = said.iter().zip(meant).take_while(|(one, other)| one == other).count();
    let (rest_said, rest_meant) =
        (said.get(same..).unwrap_or_default(), meant.get(same..).unwrap_or_default());
    match (rest_said, rest_meant) {
        ([a, b, said @ ..], [c, d, meant @ ..]) if a == d && b == c => said == meant,
        (said, [_, meant @ ..]) if said.len() == meant.len() => said == meant,
        ([more, rest @ ..], meant) if rest.len() == meant.len() => {
            rest == meant && same > 0 && said.get(same - 1) == Some(more)
        }
        _ => false,
    }
}

/// Edits between two words: letters inserted, dropped, replaced, or swapped with their neighbour.
pub fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut previous = None;
    for (row, ca) in a.chars().enumerate() {
        let mut current = vec![row + 1];
        for (column, cb) in b.iter().enumerate() {
            let at = |row: &[usize], column: usize| row.get(column).copied().unwrap_or(usize::MAX - 1);
            let mut least = (at(&last, column + 1) + 1)
                .min(at(&current, column) + 1)
                .min(at(&last, column) + usize::from(ca != *cb));
            let swapped = previous == Some(*cb) && column > 0 && b.get(column - 1) == Some(&ca);
            if swapped && row > 0 {
                least = least.min(at(&before_last, column - 1) + 1);
            }
            current.push(least);
        }
        before_last = std::mem::replace(&mut last, current);
        previous = Some(ca);
    }
    last.last().copied().unwrap_or_default()
}
