//! Whom do tests talk to? A server on the loopback that answers by a script and remembers what it was asked.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// What a request said.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// Its path, with the query.
    pub(crate) path: String,
    /// Its header lines, in lower case up to the colon.
    pub(crate) headers: Vec<String>,
    /// Its body.
    pub(crate) body: String,
}

/// What a request is answered.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// A status, further header lines and a body.
    Says(u16, &'static str, Vec<u8>),
    /// A body that ends before the length its header promises.
    CutShort(Vec<u8>),
    /// Nothing, while the connection stays open.
    Silence,
}

impl Answer {
    pub(crate) fn good(body: impl Into<Vec<u8>>) -> Answer {
        Answer::Says(200, "", body.into())
    }
}

/// The server; it goes when this is dropped.
pub(crate) struct Loopback {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<Asked>>>,
    closed: Arc<AtomicBool>,
}

impl Loopback {
    /// A server that gives these answers in turn, and the last one from then on.
    pub(crate) fn scripted(mut answers: Vec<Answer>) -> Loopback {
        answers.reverse();
        Loopback::answering(move |_| match answers.len() {
            1 => answers[0].clone(),
            _ => answers.pop().unwrap(),
        })
    }

    /// A server that answers each request as it likes.
    pub(crate) fn answering(mut answer: impl FnMut(&Asked) -> Answer + Send + 'static) -> Loopback {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (asked, closed) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let (remembered, over) = (Arc::clone(&asked), Arc::clone(&closed));
        thread::spawn(move || {
            let mut held = Vec::new();
            for stream in listener.incoming().take_while(|_| !over.load(Ordering::SeqCst)) {
                let Ok(mut stream) = stream else { continue };
                let Some(asked) = read(&stream) else { continue };
                remembered.lock().unwrap().push(asked.clone());
                let (head, body) = match answer(&asked) {
                    Answer::Says(status, headers, body) => (head(status, headers, body.len()), body),
                    Answer::CutShort(body) => (head(200, "", body.len() + 1), body),
                    Answer::Silence => {
                        held.push(stream);
                        continue;
                    }
                };
                // Whoever has heard enough may hang up.
                let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
            }
        });
        Loopback { address, asked, closed }
    }

    /// An address where nobody answers: the first port belongs to a service long out of use.
    pub(crate) fn nobody() -> String {
        "http://127.0.0.1:1".to_owned()
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What was asked so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

impl Drop for Loopback {
    fn drop(&mut self) {
        self.closed.store(true, Ordering::SeqCst);
        // Wakes the thread, which then sees that it is over.
        let _ = TcpStream::connect(self.address);
    }
}

fn head(status: u16, headers: &str, bytes: usize) -> String {
    format!("HTTP/1.1 {status} So\r\nContent-Length: {bytes}\r\nConnection: close\r\n{headers}\r\n")
}

fn read(stream: &TcpStream) -> Option<Asked> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        match line.trim_end().split_once(": ") {
            Some((name, value)) => headers.push(format!("{}: {value}", name.to_lowercase())),
            None => break,
        }
    }
    let length = headers.iter().find_map(|header| header.strip_prefix("content-length: "));
    let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
    reader.read_exact(&mut body).ok()?;
    Some(Asked { path, headers, body: String::from_utf8(body).unwrap() })
}
