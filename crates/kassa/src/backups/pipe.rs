//! Bytes between a thread that makes or reads an archive and a task that sends or receives it.

use std::io::{self, Read, Write};

use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Bytes that go at a time.
const PIECE_BYTES: usize = 256 * 1024;
/// Pieces that may be on their way.
const PIECES_MAX: usize = 4;

/// Some bytes, or why there are no more.
type Piece = io::Result<Vec<u8>>;

/// A way for pieces.
pub(super) fn pipe() -> (Sender<Piece>, Receiver<Piece>) {
    channel(PIECES_MAX)
}

/// What a thread writes to.
pub(super) struct PipeWriter {
    sender: Sender<Piece>,
    piece: Vec<u8>,
}

impl PipeWriter {
    pub(super) fn new(sender: Sender<Piece>) -> Self {
        Self { sender, piece: Vec::with_capacity(PIECE_BYTES) }
    }
}

impl Write for PipeWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(PIECE_BYTES - self.piece.len());
        self.piece.extend_from_slice(&bytes[..taken]);
        if self.piece.len() == PIECE_BYTES {
            self.flush()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.piece.is_empty() {
            return Ok(());
        }
        let piece = std::mem::replace(&mut self.piece, Vec::with_capacity(PIECE_BYTES));
        self.sender.blocking_send(Ok(piece)).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

/// What a thread reads from.
pub(super) struct PipeReader {
    receiver: Receiver<Piece>,
    piece: io::Cursor<Vec<u8>>,
}

impl PipeReader {
    pub(super) fn new(receiver: Receiver<Piece>) -> Self {
        Self { receiver, piece: io::Cursor::default() }
    }
}

impl Read for PipeReader {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.piece.read(bytes)?;
            if read > 0 || bytes.is_empty() {
                return Ok(read);
            }
            let Some(piece) = self.receiver.blocking_recv() else { return Ok(0) };
            self.piece = io::Cursor::new(piece?);
        }
    }
}
