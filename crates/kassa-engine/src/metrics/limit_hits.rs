//! How often each limit was hit.

use super::{Counter, MetricsText};

/// Declares the limits: for each its name in code, and the label of its samples.
macro_rules! limits {
    ($($(#[$doc:meta])* $limit:ident = $label:literal,)*) => {
        /// A limit that refuses, or gives way, when somebody asks for too much.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Limit {
            $($(#[$doc])* $limit,)*
        }

        impl Limit {
            /// All limits, in the order of their declaration.
            pub const ALL: &[Self] = &[$(Self::$limit,)*];

            /// The label of its samples: `kassa_limit_hits_total{limit="…"}`.
            pub const fn label(self) -> &'static str {
                match self {
                    $(Self::$limit => $label,)*
                }
            }
        }
    };
}

limits! {
    /// Log-ins of one address.
    LogIns = "log_ins",
    /// Wrong passwords for one e-mail or user.
    WrongPasswords = "wrong_passwords",
    /// Registrations of one address.
    Registrations = "registrations",
    /// Mails to one e-mail that ask for its confirmation.
    Confirmations = "confirmations",
    /// Password resets of one address, or for one e-mail.
    PasswordResets = "password_resets",
    /// Checks of promocodes by one partner.
    PromocodeChecks = "promocode_checks",
    /// Requests with one key.
    KeyRequests = "key_requests",
    /// Memory of long heads of requests.
    HeadMemory = "head_memory",
    /// Memory of the bodies of requests.
    BodyMemory = "body_memory",
    /// Memory of answers that are not sent yet.
    AnswerMemory = "answer_memory",
    /// The size of one answer with `fields-schema`.
    FieldsSchema = "fields_schema",
    /// Connections at a time; one was closed to make room for another.
    Connections = "connections",
    /// Uploads at a time, of all or of one partner.
    Uploads = "uploads",
    /// Downloads of attachments at a time, of all or of one network.
    Downloads = "downloads",
    /// Lists of orders that one partner has mailed.
    Exports = "exports",
    /// Tests of webhooks by one partner.
    WebhookTests = "webhook_tests",
    /// Orders of one vendor without tickets, and further customers of its orders.
    EmptyOrders = "empty_orders",
    /// Bytes of texts that one partner sends for its events and their sets.
    TextBytes = "text_bytes",
    /// Changes of one user's e-mail.
    EmailChanges = "email_changes",
    /// Orders that visitors of shops make from one address.
    ShopOrders = "shop_orders",
    /// Changes of orders by whoever has their links, from one address.
    ShopChanges = "shop_changes",
    /// E-mails that whoever has the link of an order replaces in it.
    ShopEmails = "shop_emails",
    /// Unpaid orders of visitors with one e-mail, for one event.
    UnpaidOrdersOfEmail = "unpaid_orders_of_email",
    /// Unpaid orders of visitors from one address, for one event.
    UnpaidOrdersOfAddress = "unpaid_orders_of_address",
    /// Tickets in the unpaid orders of visitors from one address, for one event.
    UnpaidTicketsOfAddress = "unpaid_tickets_of_address",
    /// Requests of one address for links of orders, or mails with them to one e-mail.
    OrderLinks = "order_links",
    /// Mails with the tickets of one order that its vendor asks for.
    ResentTickets = "resent_tickets",
    /// Mails with tickets by one partner to one e-mail: one more waits.
    TicketsMails = "tickets_mails",
    /// Mails with invitations by one user: one more waits.
    InvitationMails = "invitation_mails",
    /// Commands that wait for a lane, of all or of one tenant.
    LaneQueue = "lane_queue",
    /// Heavy commands of one tenant that wait for a lane.
    HeavyCommands = "heavy_commands",
    /// Answers kept in an hour under the Idempotency-Keys of one tenant.
    KeptAnswers = "kept_answers",
    /// Lists of one reader at a time: one has waited too long for its turn.
    ListReads = "list_reads",
    /// Short reads of one reader that wait.
    ShortReads = "short_reads",
    /// Readers of the feed that wait for changes, of all or of one partner.
    FeedReaders = "feed_readers",
    /// Streams of what is left of events, of all or of one client; and events of which that is followed.
    AvailabilityStreams = "availability_streams",
    /// How long a read may take.
    ReadTime = "read_time",
    /// Large drawings of one client at a time.
    Drawings = "drawings",
    /// Documents of orders at a time, of all or of one reader.
    Documents = "documents",
    /// Passwords that wait to be hashed.
    PasswordQueue = "password_queue",
    /// What a partner may store.
    Quotas = "quotas",
}

/// A counter for each limit.
#[derive(Debug)]
pub struct LimitHits([Counter; Limit::ALL.len()]);

impl Default for LimitHits {
    fn default() -> Self {
        Self(std::array::from_fn(|_| Counter::default()))
    }
}

impl LimitHits {
    /// Counts one more hit of a limit.
    pub fn record(&self, limit: Limit) {
        self.0[limit as usize].add(1);
    }

    /// How often a limit was hit so far.
    pub fn get(&self, limit: Limit) -> u64 {
        self.0[limit as usize].get()
    }

    pub(super) fn write(&self, text: &mut MetricsText) {
        text.counter("kassa_limit_hits_total", "How often a limit was hit since the server started.");
        for limit in Limit::ALL {
            text.sample("kassa_limit_hits_total", &[("limit", limit.label())], self.get(*limit));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_limit_has_a_sample_of_its_own() {
        let (hits, mut text) = (LimitHits::default(), MetricsText::default());
        hits.record(Limit::Uploads);
        hits.record(Limit::Uploads);
        hits.write(&mut text);
        let text = text.finish();
        assert!(text.contains("kassa_limit_hits_total{limit=\"uploads\"} 2\n"), "{text}");
        assert!(text.contains("kassa_limit_hits_total{limit=\"log_ins\"} 0\n"), "{text}");
        let labels: BTreeSet<&str> = Limit::ALL.iter().map(|limit| limit.label()).collect();
        assert_eq!(labels.len(), Limit::ALL.len());
    }
}
