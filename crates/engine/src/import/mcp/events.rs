//! What does a stream of events say? The data of server-sent events, as they become whole.

/// A stream as it comes in.
#[derive(Debug, Default)]
pub struct Events {
    line: Vec<u8>,
    data: Vec<String>,
}

impl Events {
    /// Takes the next piece and gives the data of the events that it completes.
    pub fn take(&mut self, piece: &[u8]) -> Vec<String> {
        let mut whole = Vec::new();
        for byte in piece {
            if *byte == b'\n' {
                let line = std::mem::take(&mut self.line);
                whole.extend(self.end_of(String::from_utf8_lossy(&line).trim_end_matches('\r')));
            } else {
                self.line.push(*byte);
            }
        }
        whole
    }

    /// An empty line ends an event; of the others only those with data say something to us.
    fn end_of(&mut self, line: &str) -> Option<String> {
        if line.is_empty() {
            let data = std::mem::take(&mut self.data);
            return (!data.is_empty()).then(|| data.join("\n"));
        }
        let data = line.strip_prefix("data:")?;
        self.data.push(data.strip_prefix(' ').unwrap_or(data).to_owned());
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(stream: &str, expected: &[&str]) {
        for size in [1, 2, 3, 1_000] {
            let mut events = Events::default();
            let seen: Vec<String> =
                stream.as_bytes().chunks(size).flat_map(|piece| events.take(piece)).collect();
            assert_eq!(seen, expected, "{stream:?} in pieces of {size}");
        }
    }

    #[test]
    fn events_are_whole_however_they_come() {
        check("data: a\n\n", &["a"]);
        check(
            "event: message\r\nid: 1\r\ndata: {\"a\":\r\ndata: 1}\r\n\r\ndata:b\n\n",
            &["{\"a\":\n1}", "b"],
        );
        check(": still here\n\n\nretry: 10\n\ndata: ü\n\ndata: never ended\n", &["ü"]);
    }
}
