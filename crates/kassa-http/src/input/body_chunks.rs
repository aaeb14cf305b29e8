//! Bodies as they come, from clients that may be slow.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use http_body_util::BodyExt;
use tokio::time::Instant;

use crate::error::ApiError;

/// How long a client may stall in the middle of a body.
const STALL_TIMEOUT: Duration = Duration::from_secs(30);
/// A body that comes slower than this, in bytes per second, has no more time than to stall once.
const BYTES_PER_SECOND_MIN: u32 = 4 * 1024;

/// The pieces of a body.
pub(crate) struct BodyChunks {
    body: Body,
    /// When the next one must be there; each that comes gains time.
    deadline: Instant,
}

impl BodyChunks {
    pub(crate) fn of(body: Body) -> Self {
        Self { body, deadline: Instant::now() + STALL_TIMEOUT }
    }

    /// The next bytes; `None` behind the last.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>, ApiError> {
        let broken = || ApiError::new(StatusCode::BAD_REQUEST, "broken_body", "The body ended before it was whole");
        loop {
            let frame = tokio::time::timeout_at(self.deadline, self.body.frame()).await;
            let Some(frame) = frame.map_err(|_| broken())? else { return Ok(None) };
            if let Ok(data) = frame.map_err(|_| broken())?.into_data() {
                let length = u32::try_from(data.len());
                debug_assert!(length.is_ok(), "a chunk is read into memory");
                let length = length.unwrap_or(u32::MAX);
                let gained = self.deadline + Duration::from_secs(1) * length / BYTES_PER_SECOND_MIN;
                // Who was quick at first has no more time for that later.
                self.deadline = gained.min(Instant::now() + STALL_TIMEOUT);
                return Ok(Some(data));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use futures_util::StreamExt as _;

    use super::*;

    /// A body of which `bytes` come each second, for ten minutes.
    fn trickle(bytes: usize) -> Body {
        let seconds = futures_util::stream::iter(0..600).then(move |_| async move {
            tokio::time::sleep(Duration::from_secs(1)).await;
            Ok::<Vec<u8>, Infallible>(vec![b' '; bytes])
        });
        Body::from_stream(seconds)
    }

    async fn read(body: Body) -> (usize, bool) {
        let mut pieces = BodyChunks::of(body);
        let mut count = 0;
        loop {
            match pieces.next().await {
                Ok(Some(_)) => count += 1,
                Ok(None) => return (count, true),
                Err(_) => return (count, false),
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn slow_bodies_are_read_while_they_keep_the_minimum_rate() {
        assert_eq!(read(trickle(BYTES_PER_SECOND_MIN as usize)).await, (600, true));
        assert_eq!(read(trickle(1)).await, (30, false));
        assert!(!read(trickle(BYTES_PER_SECOND_MIN as usize / 2)).await.1);
        let silent = Body::from_stream(futures_util::stream::pending::<Result<Vec<u8>, Infallible>>());
        assert_eq!(read(silent).await, (0, false));
    }
}
