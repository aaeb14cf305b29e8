//! Requests that are sent twice under one key: of a double click the first is under way when the second comes. The second is
//! answered as the first was, once that has ended.

use std::time::Duration;

/// What the interface says while a request of the same key is under way.
const KEY_IN_USE: &str = "idempotency_key_in_use";
/// How long such a request is left alone before it is looked at again, and how often.
const WAIT: Duration = Duration::from_millis(100);
const WAITS_MAX: u32 = 50;

/// How often somebody has waited for the other request.
#[derive(Debug, Default)]
pub(crate) struct KeyWaits(u32);

impl KeyWaits {
    /// Waits a moment if a refusal says that the other one is under way, unless that takes too long. Whether to ask again.
    pub(crate) async fn wait_after(&mut self, code: &str) -> bool {
        let is_under_way = code == KEY_IN_USE && self.0 < WAITS_MAX;
        if is_under_way {
            self.0 += 1;
            tokio::time::sleep(WAIT).await;
        }
        is_under_way
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_other_request_is_waited_for_but_not_for_ever() {
        let mut waits = KeyWaits::default();
        assert!(!waits.wait_after("order_empty").await);
        for _ in 0..WAITS_MAX {
            assert!(waits.wait_after(KEY_IN_USE).await);
        }
        assert!(!waits.wait_after(KEY_IN_USE).await);
    }
}
