//! The write-ahead log as it lies on the disk: a header, and frames, each with a page
//! (<https://www.sqlite.org/fileformat2.html#walformat>).

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek as _, SeekFrom};
use std::path::Path;

use super::pages::LogPages;
use super::position::LogPosition;

const HEADER_BYTES: usize = 32;
const FRAME_HEADER_BYTES: usize = 24;
/// The last bit says whether checksums are made of big-endian words.
const MAGIC: u32 = 0x377f_0682;
const BUFFER_BYTES: usize = 1024 * 1024;

/// What was found behind a position.
pub(super) enum LogRead {
    /// What was committed since, as far as it is on the disk.
    More(LogPages, LogPosition),
    /// Nothing.
    Nothing,
    /// The log does not go on from there: something else has moved it, or it was lost.
    Broken,
}

/// Reads what was committed behind a position, or from the beginning of a log that was not there before. The log may have
/// started anew once since.
pub(super) fn read_log(file: &Path, from: Option<LogPosition>) -> io::Result<LogRead> {
    let Some(mut log) = OpenLog::open(file)? else { return Ok(LogRead::Nothing) };
    let Some(start) = log.start_of(from)? else { return Ok(LogRead::Broken) };
    let mut pages = LogPages::new(log.header.page_bytes);
    let end = log.read_commits(start, |written, database_pages| pages.add(written, database_pages))?;
    Ok(if pages.is_empty() { LogRead::Nothing } else { LogRead::More(pages, end) })
}

/// Whether a position is in the log as it stands: it has not started anew since.
pub(super) fn has_position(file: &Path, position: LogPosition) -> io::Result<bool> {
    let Some(mut log) = OpenLog::open(file)? else { return Ok(false) };
    Ok(position.salts == log.header.salts && log.checksum_at(position)? == Some(position.checksum))
}

/// Behind the last commit; `None` where there is no log yet.
pub(super) fn end_of_log(file: &Path) -> io::Result<Option<LogPosition>> {
    let Some(mut log) = OpenLog::open(file)? else { return Ok(None) };
    let start = log.header.start();
    log.read_commits(start, |_, _| {}).map(Some)
}

struct OpenLog {
    file: BufReader<File>,
    header: LogHeader,
}

struct LogHeader {
    page_bytes: usize,
    is_big_endian: bool,
    salts: [u32; 2],
    checksum: [u32; 2],
}

struct Frame {
    page: u32,
    /// How many pages the database has, if the frame ends a transaction; 0 otherwise.
    database_pages: u32,
    bytes: Box<[u8]>,
    end: LogPosition,
}

impl OpenLog {
    /// `None` where there is none, or its header is being written.
    fn open(file: &Path) -> io::Result<Option<Self>> {
        let file = match File::open(file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        let mut file = BufReader::with_capacity(BUFFER_BYTES, file);
        let mut bytes = [0; HEADER_BYTES];
        let is_whole = read_whole(&mut file, &mut bytes)?;
        Ok(LogHeader::read(&bytes).filter(|_| is_whole).map(|header| Self { file, header }))
    }

    /// From where one reads on, in this log, who has read up to a position; `None` if what follows it is not known.
    fn start_of(&mut self, from: Option<LogPosition>) -> io::Result<Option<LogPosition>> {
        Ok(match from {
            Some(from) if from.salts == self.header.salts => {
                (self.checksum_at(from)? == Some(from.checksum)).then_some(from)
            }
            // A log that starts anew counts its first salt up.
            Some(from) => (self.header.salts[0] == from.salts[0].wrapping_add(1)).then(|| self.header.start()),
            None => Some(self.header.start()),
        })
    }

    /// Gives the pages of each transaction behind a position, with the length of the database after it. Returns where the last
    /// of them ends.
    fn read_commits(
        &mut self,
        start: LogPosition,
        mut give: impl FnMut(BTreeMap<u32, Box<[u8]>>, u32),
    ) -> io::Result<LogPosition> {
        let (mut at, mut end, mut pending) = (start, start, BTreeMap::new());
        self.seek(start)?;
        while let Some(frame) = self.next_frame(at)? {
            at = frame.end;
            pending.insert(frame.page, frame.bytes);
            if frame.database_pages > 0 {
                give(std::mem::take(&mut pending), frame.database_pages);
                end = at;
            }
        }
        Ok(end)
    }

    /// The checksum of all that stands before a position; `None` where the log is shorter.
    fn checksum_at(&mut self, position: LogPosition) -> io::Result<Option<[u32; 2]>> {
        let Some(last) = position.frames.checked_sub(1) else { return Ok(Some(self.header.checksum)) };
        self.seek(LogPosition { frames: last, ..position })?;
        let mut header = [0; FRAME_HEADER_BYTES];
        let is_whole = read_whole(&mut self.file, &mut header)?;
        let is_of_this_log = [word(&header, 2), word(&header, 3)] == self.header.salts;
        Ok((is_whole && is_of_this_log).then(|| [word(&header, 4), word(&header, 5)]))
    }

    fn seek(&mut self, position: LogPosition) -> io::Result<()> {
        let frame_bytes = (FRAME_HEADER_BYTES + self.header.page_bytes) as u64;
        let at = HEADER_BYTES as u64 + u64::from(position.frames) * frame_bytes;
        self.file.seek(SeekFrom::Start(at)).map(drop)
    }

    /// The frame behind a position, if it is there as a whole, and of this log.
    fn next_frame(&mut self, at: LogPosition) -> io::Result<Option<Frame>> {
        let mut header = [0; FRAME_HEADER_BYTES];
        let mut bytes = vec![0; self.header.page_bytes].into_boxed_slice();
        if !read_whole(&mut self.file, &mut header)? || !read_whole(&mut self.file, &mut bytes)? {
            return Ok(None);
        }
        let is_big_endian = self.header.is_big_endian;
        let checksum = checksum(is_big_endian, checksum(is_big_endian, at.checksum, &header[..8]), &bytes);
        let is_of_this_log = [word(&header, 2), word(&header, 3)] == self.header.salts;
        if !is_of_this_log || [word(&header, 4), word(&header, 5)] != checksum {
            return Ok(None);
        }
        let end = LogPosition { frames: at.frames + 1, checksum, ..at };
        Ok(Some(Frame { page: word(&header, 0), database_pages: word(&header, 1), bytes, end }))
    }
}

impl LogHeader {
    fn read(bytes: &[u8; HEADER_BYTES]) -> Option<Self> {
        let magic = word(bytes, 0);
        let is_big_endian = magic & 1 == 1;
        let stated = [word(bytes, 6), word(bytes, 7)];
        let is_whole = magic & !1 == MAGIC && checksum(is_big_endian, [0, 0], &bytes[..24]) == stated;
        let page_bytes = usize::try_from(word(bytes, 2)).ok().filter(|bytes| *bytes >= 512)?;
        let salts = [word(bytes, 4), word(bytes, 5)];
        is_whole.then_some(Self { page_bytes, is_big_endian, salts, checksum: stated })
    }

    fn start(&self) -> LogPosition {
        LogPosition { salts: self.salts, frames: 0, checksum: self.checksum }
    }
}

/// SQLite's checksum over pairs of words, continued.
fn checksum(is_big_endian: bool, [mut one, mut other]: [u32; 2], bytes: &[u8]) -> [u32; 2] {
    let word = if is_big_endian { u32::from_be_bytes } else { u32::from_le_bytes };
    let (pairs, _) = bytes.as_chunks::<8>();
    for [a, b, c, d, e, f, g, h] in pairs {
        one = one.wrapping_add(word([*a, *b, *c, *d])).wrapping_add(other);
        other = other.wrapping_add(word([*e, *f, *g, *h])).wrapping_add(one);
    }
    [one, other]
}

/// A big-endian word of a header.
fn word(header: &[u8], at: usize) -> u32 {
    let (words, _) = header.as_chunks::<4>();
    u32::from_be_bytes(words[at])
}

/// Whether there was as much; what is missing has not been written yet.
fn read_whole(file: &mut impl Read, bytes: &mut [u8]) -> io::Result<bool> {
    match file.read_exact(bytes) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        read => read.map(|()| true),
    }
}
