//! How is a program spoken to? One JSON message a line, into its standard input and out of its standard output.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{ANSWER_BYTES_MAX, ImportError, Line, NO_METHOD, answer_in, excerpt, method_of};

/// Most of a program's complaints that are repeated, in bytes: the last ten lines or so say why it ended.
const TAIL_BYTES_MAX: usize = 1_000;
/// Most lines that wait to be read: a program that says more has to wait itself.
const LINES_WAITING_MAX: usize = 16;
/// How long a program may take to end once its input has, and its last words to arrive.
const PARTING_WAIT: Duration = Duration::from_secs(2);
/// How often it is looked at meanwhile.
const PARTING_LOOK: Duration = Duration::from_millis(5);

/// A program that runs. It goes when this is dropped.
pub struct Program {
    command: String,
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Heard>,
    complaints: Arc<Mutex<Vec<u8>>>,
    silent: Receiver<()>,
    patience: Duration,
}

/// What comes out of a program.
enum Heard {
    Line(Vec<u8>),
    TooLong,
}

impl Program {
    pub fn start(command: &str, args: &[String], patience: Duration) -> Result<Program, ImportError> {
        let mut starting = Command::new(command);
        starting.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = starting.spawn().map_err(|cause| match cause.kind() {
            io::ErrorKind::NotFound => ImportError::NoProgram { command: command.to_owned() },
            _ => ImportError::NotStarted { command: command.to_owned(), cause },
        })?;
        let (tell, lines) = mpsc::sync_channel(LINES_WAITING_MAX);
        let (ended, silent) = mpsc::channel();
        let complaints = Arc::new(Mutex::new(Vec::new()));
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || hear(output, &tell));
        }
        if let Some(errors) = child.stderr.take() {
            let tail = Arc::clone(&complaints);
            thread::spawn(move || {
                remember(errors, &tail);
                drop(ended);
            });
        }
        let (command, input) = (command.to_owned(), child.stdin.take());
        Ok(Program { command, child, input, lines, complaints, silent, patience })
    }

    fn write(&mut self, message: &Value) -> io::Result<()> {
        let Some(input) = &mut self.input else { return Err(io::ErrorKind::BrokenPipe.into()) };
        input.write_all(format!("{message}\n").as_bytes())?;
        input.flush()
    }

    /// Answers what the server asks meanwhile: that we are here, and that we can do nothing else.
    fn answer(&mut self, asked: &Value) -> io::Result<()> {
        let Some(id) = asked.get("id").filter(|_| asked.get("method").is_some()) else { return Ok(()) };
        let answer = if method_of(asked) == "ping" {
            json!({ "jsonrpc": "2.0", "id": id, "result": {} })
        } else {
            let error = json!({ "code": NO_METHOD, "message": "waypost only lists tools" });
            json!({ "jsonrpc": "2.0", "id": id, "error": error })
        };
        self.write(&answer)
    }

    /// The next line, if it comes in time: what a program never stops to say does not count for ever.
    fn next_line(&self, until: Instant) -> Result<Heard, RecvTimeoutError> {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(RecvTimeoutError::Timeout) } else { self.lines.recv_timeout(left) }
    }

    fn ended(&mut self, method: &str) -> ImportError {
        // What it said last may still be on its way.
        let _ = self.silent.recv_timeout(PARTING_WAIT);
        let status = self.status().map(|status| status.to_string());
        ImportError::EndedEarly {
            server: self.server(),
            method: method.to_owned(),
            status: status.unwrap_or_default(),
            stderr: self.tail(),
        }
    }

    /// How it ended. Who has closed all its lines is on its way out, and may take a moment.
    fn status(&mut self) -> Option<ExitStatus> {
        let until = Instant::now() + PARTING_WAIT;
        loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < until => thread::sleep(PARTING_LOOK),
                ended => return ended.ok().flatten(),
            }
        }
    }

    /// The last lines of what it complained about.
    fn tail(&self) -> String {
        let bytes = crate::locks::open(&self.complaints).clone();
        let start = bytes.len().saturating_sub(TAIL_BYTES_MAX);
        let text = String::from_utf8_lossy(bytes.get(start..).unwrap_or_default()).into_owned();
        // A line that was cut says less than none.
        let whole =
            if start > 0 { text.split_once('\n').map_or(text.as_str(), |(_, rest)| rest) } else { &text };
        whole.trim().to_owned()
    }
}

impl Line for Program {
    fn server(&self) -> String {
        format!("`{}`", self.command)
    }

    fn ask(&mut self, id: u64, request: &Value) -> Result<Value, ImportError> {
        let method = method_of(request);
        let until = Instant::now() + self.patience;
        if self.write(request).is_err() {
            return Err(self.ended(&method));
        }
        loop {
            let line = match self.next_line(until) {
                Ok(Heard::Line(line)) => line,
                Ok(Heard::TooLong) => {
                    let why = format!("a line has more than {ANSWER_BYTES_MAX} bytes");
                    return Err(ImportError::BadAnswer { server: self.server(), method, why });
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended(&method)),
                Err(RecvTimeoutError::Timeout) => {
                    let seconds = self.patience.as_secs();
                    return Err(ImportError::TimedOut {
                        server: self.server(),
                        method,
                        seconds,
                        stderr: self.tail(),
                    });
                }
            };
            let message: Value = serde_json::from_slice(&line).map_err(|_| ImportError::NotJson {
                server: self.server(),
                method: method.clone(),
                said: excerpt(&line),
                hint: "; a server speaks the protocol on standard output, and logs to standard error",
            })?;
            if self.answer(&message).is_err() {
                return Err(self.ended(&method));
            }
            if let Some(answer) = answer_in(message, id) {
                return Ok(answer);
            }
        }
    }

    fn tell(&mut self, notification: &Value) -> Result<(), ImportError> {
        self.write(notification).map_err(|_| self.ended(&method_of(notification)))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // A server ends when its input does; one that does not is ended.
        drop(self.input.take());
        let until = Instant::now() + PARTING_WAIT;
        while self.next_line(until).is_ok() {}
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Passes on line by line, until there is no more or nobody listens.
fn hear(output: impl Read, tell: &SyncSender<Heard>) {
    let mut reader = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        match reader.by_ref().take(ANSWER_BYTES_MAX + 1).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) if line.len() as u64 > ANSWER_BYTES_MAX => return drop(tell.send(Heard::TooLong)),
            Ok(_) if line.trim_ascii().is_empty() => {}
            Ok(_) => {
                if tell.send(Heard::Line(line)).is_err() {
                    return;
                }
            }
        }
    }
}

/// Keeps the end of what is said.
fn remember(mut errors: impl Read, tail: &Mutex<Vec<u8>>) {
    let mut piece = [0; 4096];
    while let Ok(bytes @ 1..) = errors.read(&mut piece) {
        let mut kept = crate::locks::open(tail);
        kept.extend_from_slice(piece.get(..bytes).unwrap_or_default());
        let beyond = kept.len().saturating_sub(2 * TAIL_BYTES_MAX);
        kept.drain(..beyond);
    }
}
