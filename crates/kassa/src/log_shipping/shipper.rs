//! What ships the log while a server runs.

use std::sync::Arc;
use std::time::Duration;

use kassa_domain::{Timestamp, hex};
use kassa_engine::Engine;
use kassa_store::StoreError;
use kassa_store::sqlite::{LogPiece, LogTap};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::name::{Base, LineFile, LineFileKind, LineName};
use super::progress::Progress;
use super::segment;
use crate::backups::{BackupError, BackupPlace, BackupSource, MadeBackup};

/// How often what is new is shipped: with the time that it takes to send it, nothing waits for longer than a second.
const INTERVAL: Duration = Duration::from_millis(500);
/// How often a base is made, unless what is kept is shorter: what is restored is put together of what came since.
const BASE_INTERVAL: Duration = Duration::from_hours(6);
/// When a base could not be made, it is tried again after this time.
const BASE_RETRY_AFTER: Duration = Duration::from_mins(1);
/// How long the last segments may take when the server stops.
const END_TIME_MAX: Duration = Duration::from_secs(5);

/// What is shipped, where to, and for how long it is kept.
#[derive(Clone, Debug)]
pub(crate) struct LogShipping {
    pub(super) source: BackupSource,
    pub(super) place: BackupPlace,
    pub(super) keep: Duration,
}

/// Ships what `tap` takes of the log, until `stopped` is true, and the rest of it then. `progress` is how far it was shipped
/// before.
pub(crate) async fn ship_log(
    shipping: LogShipping,
    tap: Arc<LogTap>,
    progress: Option<Progress>,
    engine: Engine,
    mut stopped: watch::Receiver<bool>,
) {
    engine.log_shipping_metrics().start(engine.now());
    let mut shipper = Shipper { shipping: &shipping, tap, engine: &engine, line: None, resumed: progress };
    let (mut is_failing, mut is_last) = (false, false);
    loop {
        // One that is given up midway is not followed by another: what it had would be missing.
        let result = tokio::select! {
            result = shipper.ship() => result,
            () = is_overdue(stopped.clone()) => {
                tracing::warn!("the end of the log was not shipped in time; the next server does it");
                return;
            }
        };
        shipper.tell(&result, is_failing);
        is_failing = result.is_err();
        if is_last {
            return;
        }
        tokio::select! {
            // When the sender is gone, the program is ending, too.
            _ = stopped.wait_for(|stopped| *stopped) => is_last = true,
            () = tokio::time::sleep(INTERVAL) => {}
        }
    }
}

/// Ready when the server shall stop, and has waited for long enough.
async fn is_overdue(mut stopped: watch::Receiver<bool>) {
    let _ = stopped.wait_for(|stopped| *stopped).await;
    tokio::time::sleep(END_TIME_MAX).await;
}

struct Shipper<'a> {
    shipping: &'a LogShipping,
    tap: Arc<LogTap>,
    engine: &'a Engine,
    line: Option<Line>,
    /// How far it was shipped when the server started.
    resumed: Option<Progress>,
}

/// The line that is being shipped.
struct Line {
    name: LineName,
    /// Of its last segment.
    number: u32,
    base: BaseState,
    /// What its newest base has: all segments up to this one.
    newest_base: Option<u32>,
}

/// Where its next base is.
enum BaseState {
    /// It is due at this time.
    Due(Timestamp),
    /// It is being made.
    Making { from: u32, making: JoinHandle<Result<MadeBackup, BackupError>> },
    /// It is there; what was committed before it was made may not be shipped yet.
    Made { from: u32 },
}

impl Shipper<'_> {
    /// Only the first of several failures is in the log, and the end of them.
    fn tell(&self, shipped: &Result<(), BackupError>, was_failing: bool) {
        let place = &self.shipping.place;
        match shipped {
            Ok(()) if was_failing => tracing::info!(%place, "the log can be shipped again"),
            Ok(()) => {}
            Err(error) if was_failing => tracing::debug!(%error, "the log is still not shipped"),
            Err(error) => tracing::warn!(%error, "the log is not shipped; it will be tried again"),
        }
        if shipped.is_err() {
            self.engine.log_shipping_metrics().count_failure();
        }
    }

    /// Ships what was committed until now.
    async fn ship(&mut self) -> Result<(), BackupError> {
        let mut line = match self.line.take().filter(|_| self.tap.is_following()) {
            Some(line) => line,
            None => self.begin_line().await?,
        };
        let shipped = self.ship_line(&mut line).await;
        self.line = Some(line);
        shipped
    }

    async fn ship_line(&self, line: &mut Line) -> Result<(), BackupError> {
        self.look_at_base(line).await;
        // What is in a base that is there by now is shipped with this segment at the latest.
        let made = if let BaseState::Made { from } = line.base { Some(from) } else { None };
        let all_before = self.engine.now();
        let tap = Arc::clone(&self.tap);
        if let Some(piece) = blocking(move || tap.fetch()).await? {
            self.ship_piece(line, piece).await?;
        }
        let read_at = self.engine.now();
        if !self.tap.is_following() {
            return Err(BackupError::at(&self.shipping.place, &"the log went on without us: a new line begins"));
        }
        if let Some(from) = made {
            let base = Base { from, up_to: line.number, at: read_at };
            self.put(line.name.file(LineFileKind::Base(base)), Vec::new()).await?;
            (line.base, line.newest_base) = (BaseState::Due(plus(read_at, self.base_interval())), Some(from));
            self.engine.log_shipping_metrics().set_base(read_at);
            self.remove_old(&line.name).await?;
        }
        self.engine.log_shipping_metrics().set_shipped(all_before);
        Ok(())
    }

    async fn ship_piece(&self, line: &mut Line, piece: LogPiece) -> Result<(), BackupError> {
        let number = line.number + 1;
        let file = line.name.file(LineFileKind::Segment { number, at: self.engine.now() });
        let encoded = blocking(move || Ok((segment::encode(&piece.pages), piece))).await;
        // Without it nothing that follows is of use.
        let (bytes, piece) = encoded.inspect_err(|_| self.tap.give_up())?;
        let length = bytes.len() as u64;
        if let Err(error) = self.put(file, bytes).await {
            self.tap.put_back(piece);
            return Err(error);
        }
        line.number = number;
        self.engine.log_shipping_metrics().count_segment(length);
        let progress = Progress { line: line.name.clone(), number, position: piece.end };
        let data = self.shipping.source.data_folder();
        progress.write(data).map_err(|error| BackupError::at(&data.display(), &error))
    }

    /// Goes on with the line of the server before, or begins another.
    async fn begin_line(&mut self) -> Result<Line, BackupError> {
        let installation =
            self.engine.installation_digits().await.map_err(|error| BackupError::at("database", &error))?;
        self.shipping.place.remove_drafts(&LineName::prefix_of(&installation)).await?;
        let resumed = self.resumed.clone().filter(|resumed| resumed.line.installation == installation);
        if let Some(Progress { line: name, number: noted, .. }) = resumed.filter(|_| self.tap.is_following()) {
            let shipped = ShippedLine::of(&name, &self.files().await?);
            // More may be there than was noted: what follows has that once more, and harms nobody. Less was taken away.
            if shipped.last < noted {
                self.tap.give_up();
                return Err(BackupError::at(&self.shipping.place, &"segments are missing: a new line begins"));
            }
            self.resumed = None;
            let ShippedLine { last: number, newest_base: newest } = shipped;
            if let Some(base) = newest {
                self.engine.log_shipping_metrics().set_base(base.at);
            }
            tracing::info!(line = name.line, place = %self.shipping.place, "the log is shipped on");
            let due = newest.map_or(self.engine.now(), |base| plus(base.at, self.base_interval()));
            return Ok(Line { name, number, base: BaseState::Due(due), newest_base: newest.map(|base| base.from) });
        }
        self.resumed = None;
        let tap = Arc::clone(&self.tap);
        blocking(move || tap.begin()).await?;
        let line = hex::encode(&self.engine.random_number().to_be_bytes()[..4]);
        let name = LineName { installation, line };
        self.engine.log_shipping_metrics().count_line();
        tracing::info!(line = name.line, place = %self.shipping.place, "the log is shipped from now on");
        Ok(Line { name, number: 0, base: BaseState::Due(self.engine.now()), newest_base: None })
    }

    /// Begins a base that is due, and sees when it is made.
    async fn look_at_base(&self, line: &mut Line) {
        let now = self.engine.now();
        let state = std::mem::replace(&mut line.base, BaseState::Due(now));
        line.base = match state {
            // Nothing was written since the last one.
            BaseState::Due(at) if at <= now && line.newest_base == Some(line.number) => {
                BaseState::Due(plus(now, self.base_interval()))
            }
            BaseState::Due(at) if at <= now => {
                let (source, place) = (self.shipping.source.page_by_page(&self.tap), self.shipping.place.clone());
                let from = line.number;
                let name = line.name.file(LineFileKind::Archive { from }).to_string();
                let make = async move {
                    // One that was made, and not told of, is in the way.
                    place.remove(&name).await?;
                    place.make(&source, &name).await
                };
                BaseState::Making { from, making: tokio::spawn(make) }
            }
            BaseState::Making { from, making } if making.is_finished() => {
                let made = making.await.unwrap_or_else(|error| Err(BackupError::at("the making of a base", &error)));
                match made {
                    Ok(MadeBackup { bytes, files }) => {
                        tracing::info!(line = line.name.line, bytes, files, "a base was made, and read again");
                        BaseState::Made { from }
                    }
                    Err(error) => {
                        tracing::warn!(%error, "there is no new base; it will be tried again");
                        self.engine.log_shipping_metrics().count_failure();
                        BaseState::Due(plus(now, BASE_RETRY_AFTER))
                    }
                }
            }
            state @ (BaseState::Due(_) | BaseState::Making { .. } | BaseState::Made { .. }) => state,
        };
    }

    /// Removes what is not needed to restore any moment that is kept.
    async fn remove_old(&self, current: &LineName) -> Result<(), BackupError> {
        let files = self.files().await?;
        let kept_from = self.engine.now().plus_ms(-millis(self.shipping.keep));
        let old: Vec<LineFile> = superseded(files, &current.installation, kept_from);
        for file in old {
            self.shipping.place.remove(&file.to_string()).await?;
        }
        Ok(())
    }

    async fn files(&self) -> Result<Vec<LineFile>, BackupError> {
        let names = self.shipping.place.names().await?;
        Ok(names.iter().filter_map(|name| name.parse().ok()).collect())
    }

    async fn put(&self, file: LineFile, bytes: Vec<u8>) -> Result<(), BackupError> {
        self.shipping.place.put(&file.to_string(), bytes).await
    }

    fn base_interval(&self) -> Duration {
        BASE_INTERVAL.min(self.shipping.keep)
    }
}

/// What there is of a line.
struct ShippedLine {
    /// The number of its last segment; 0 where there is none.
    last: u32,
    newest_base: Option<Base>,
}

impl ShippedLine {
    fn of(line: &LineName, files: &[LineFile]) -> Self {
        let own = || files.iter().filter(|file| file.line == *line);
        let last = own().filter_map(LineFile::segment_number).max().unwrap_or(0);
        Self { last, newest_base: own().filter_map(LineFile::base).max_by_key(|base| base.at) }
    }
}

/// What of the files of an installation is not needed to restore it as of any moment from this one on. The newest base at
/// that moment or before it is needed, all later ones, and the segments behind them.
fn superseded(files: Vec<LineFile>, installation: &str, kept_from: Timestamp) -> Vec<LineFile> {
    let own: Vec<LineFile> = files.into_iter().filter(|file| file.line.installation == installation).collect();
    let bases = || own.iter().filter_map(|file| Some((&file.line, file.base()?)));
    let oldest_needed = bases().map(|(_, base)| base.at).filter(|at| *at <= kept_from).max();
    // As long as no base is that old, all are needed.
    let Some(oldest_needed) = oldest_needed else { return Vec::new() };
    let is_needed = |line: &LineName, number: u32| {
        bases().any(|(of, base)| of == line && base.at >= oldest_needed && base.from < number)
    };
    let newest_line = bases().max_by_key(|(_, base)| base.at).map(|(line, _)| line.clone());
    let is_superseded = |file: &LineFile| match file.kind {
        LineFileKind::Base(base) => base.at < oldest_needed,
        LineFileKind::Archive { from } => {
            let base = bases().find(|(line, base)| **line == file.line && base.from == from);
            // One without is being made, or was given up.
            base.map_or(Some(&file.line) != newest_line.as_ref(), |(_, base)| base.at < oldest_needed)
        }
        LineFileKind::Segment { number, .. } => !is_needed(&file.line, number),
    };
    own.iter().filter(|file| is_superseded(file)).cloned().collect()
}

/// Does something on a thread that may wait for the disk, and does not give way to those that sell: what it does is short.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, BackupError> {
    let done = tokio::task::spawn_blocking(work).await;
    let done = done.unwrap_or_else(|error| Err(StoreError::Unavailable(error.to_string())));
    done.map_err(|error| BackupError::at("the log of the database", &error))
}

fn plus(at: Timestamp, time: Duration) -> Timestamp {
    at.plus_ms(millis(time))
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(line: &str) -> LineName {
        LineName { installation: "3f9a2c1d".into(), line: line.into() }
    }

    /// A line with a base at every tenth segment but the last: a segment each 100 ms.
    fn files_of(line: &LineName, start_ms: i64, segments: u32) -> Vec<LineFile> {
        let at = |number: u32| Timestamp::from_ms(start_ms + 100 * i64::from(number));
        let mut files = Vec::new();
        for number in 1..=segments {
            files.push(line.file(LineFileKind::Segment { number, at: at(number) }));
        }
        for from in (0..segments).step_by(10) {
            files.push(line.file(LineFileKind::Archive { from }));
            files.push(line.file(LineFileKind::Base(Base { from, up_to: from + 1, at: at(from + 1) })));
        }
        files
    }

    #[test]
    fn what_no_moment_that_is_kept_is_made_of_is_superseded() {
        let (one, other) = (line("aaaaaaaa"), line("bbbbbbbb"));
        let mut files = files_of(&one, 0, 30);
        files.extend(files_of(&other, 10_000, 20));
        let making = other.file(LineFileKind::Archive { from: 20 });
        files.push(making.clone());
        let strange = LineName { installation: "00000000".into(), line: "cccccccc".into() };
        files.extend(files_of(&strange, 0, 5));
        let left = |kept_from| {
            let old = superseded(files.clone(), "3f9a2c1d", Timestamp::from_ms(kept_from));
            files.iter().filter(|file| !old.contains(file)).cloned().collect::<Vec<_>>()
        };
        assert_eq!(left(50), files, "there is no base that old");
        for kept_from in [1_100, 2_099] {
            // Made of the base at 1,100 and of what follows.
            let gone = |file: &LineFile| {
                let from = file.base().map(|base| base.from);
                file.line == one
                    && (from == Some(0)
                        || file.kind == LineFileKind::Archive { from: 0 }
                        || file.segment_number().is_some_and(|number| number <= 10))
            };
            let expected: Vec<LineFile> = files.iter().filter(|file| !gone(file)).cloned().collect();
            assert_eq!(left(kept_from), expected, "{kept_from}");
        }
        let left = left(11_500);
        assert!(left.iter().all(|file| file.line != one), "{left:?}");
        assert_eq!(left.iter().filter(|file| file.line == strange).count(), 7, "another's are left alone");
        assert!(left.contains(&making), "one that is being made stays");
        let numbers: Vec<u32> =
            left.iter().filter(|file| file.line == other).filter_map(LineFile::segment_number).collect();
        assert_eq!(numbers, (11..=20).collect::<Vec<_>>());
    }

    #[test]
    fn a_line_is_gone_on_with_behind_its_last_segment() {
        let (one, other) = (line("aaaaaaaa"), line("bbbbbbbb"));
        let mut files = files_of(&one, 0, 25);
        files.extend(files_of(&other, 10_000, 3));
        let shipped = ShippedLine::of(&one, &files);
        assert_eq!((shipped.last, shipped.newest_base.map(|base| base.from)), (25, Some(20)));
        let nothing = ShippedLine::of(&line("dddddddd"), &files);
        assert_eq!((nothing.last, nothing.newest_base), (0, None));
    }
}
