//! Mails that stay in memory: for tests.

use std::sync::Arc;

use parking_lot::Mutex;

use super::{Message, NotSent};

/// Keeps messages, and takes none while it is down. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct MemoryMailer {
    inner: Arc<Mutex<Inner>>,
}

#[derive(Debug, Default)]
struct Inner {
    sent: Vec<Message>,
    down: bool,
}

impl MemoryMailer {
    /// Whether it takes no messages.
    pub fn set_down(&self, down: bool) {
        self.inner.lock().down = down;
    }

    /// Takes out what was sent, in its order.
    pub fn take(&self) -> Vec<Message> {
        std::mem::take(&mut self.inner.lock().sent)
    }

    pub(super) fn send(&self, message: &Message) -> Result<(), NotSent> {
        let mut inner = self.inner.lock();
        if inner.down {
            return Err(NotSent::for_now(&"the mailer is down"));
        }
        inner.sent.push(message.clone());
        Ok(())
    }
}
