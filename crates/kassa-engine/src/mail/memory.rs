//! Mails that stay in memory: for tests.

use std::sync::Arc;

use parking_lot::Mutex;

use super::{MailMessage, SendError};

/// Keeps messages, and takes none while it is down. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct MemoryMailer {
    inner: Arc<Mutex<Inner>>,
}

#[derive(Debug, Default)]
struct Inner {
    sent: Vec<MailMessage>,
    down: bool,
}

impl MemoryMailer {
    /// Whether it takes no messages.
    pub fn set_down(&self, down: bool) {
        self.inner.lock().down = down;
    }

    /// Takes out what was sent, in its order.
    pub fn take_sent(&self) -> Vec<MailMessage> {
        std::mem::take(&mut self.inner.lock().sent)
    }

    pub(super) fn send(&self, message: &MailMessage) -> Result<(), SendError> {
        let mut inner = self.inner.lock();
        if inner.down {
            return Err(SendError::transient(&"the mailer is down"));
        }
        inner.sent.push(message.clone());
        Ok(())
    }
}
