//! The constraints of the real tables as conditions on rows.

use kassa_domain::Money;
use kassa_domain::api_key::ApiKey;
use kassa_domain::attachment::Attachment;
use kassa_domain::deal::Deal;
use kassa_domain::event::Event;
use kassa_domain::hall_map::HallMap;
use kassa_domain::idempotency::IdempotencyRecord;
use kassa_domain::job::Job;
use kassa_domain::mail::Mail;
use kassa_domain::node::{InstallationSetting, Node, SharedCounter};
use kassa_domain::order::Order;
use kassa_domain::partner::{Partner, PartnerManager};
use kassa_domain::promocode::Promocode;
use kassa_domain::promotion::Promotion;
use kassa_domain::refund::RefundRequest;
use kassa_domain::seat_row_inventory::SeatRowInventory;
use kassa_domain::seating::Seat;
use kassa_domain::session::Session;
use kassa_domain::set::TicketSet;
use kassa_domain::ticket::Ticket;
use kassa_domain::user::User;
use kassa_domain::venue::Venue;
use kassa_domain::view::Row;

/// What a table refuses.
pub trait RowConstraints: Row {
    /// Its UNIQUE constraints besides the key: what no other row of the table may have, too.
    fn unique_values(&self) -> Vec<String> {
        Vec::new()
    }

    /// Whether the row keeps to the CHECK constraints.
    fn satisfies_checks(&self) -> bool {
        true
    }
}

macro_rules! only_keys_are_constrained {
    ($($row:ty,)*) => {
        $(impl RowConstraints for $row {})*
    };
}
only_keys_are_constrained! {
    Node, SharedCounter, InstallationSetting, IdempotencyRecord, Session, Partner, PartnerManager, Venue, HallMap,
    Event, Deal, Promotion, Job, Mail,
}

impl RowConstraints for User {
    fn unique_values(&self) -> Vec<String> {
        vec![self.email.to_string()]
    }
}

impl RowConstraints for ApiKey {
    fn unique_values(&self) -> Vec<String> {
        vec![format!("{:?}", self.secret_hash)]
    }
}

impl RowConstraints for Attachment {
    fn unique_values(&self) -> Vec<String> {
        vec![self.token.to_string()]
    }

    fn satisfies_checks(&self) -> bool {
        self.length > 0
    }
}

impl RowConstraints for TicketSet {
    fn satisfies_checks(&self) -> bool {
        self.counts.is_balanced() && (0..=self.counts.vacant + self.counts.blocked).contains(&self.pending_removal)
    }
}

impl RowConstraints for Ticket {
    fn unique_values(&self) -> Vec<String> {
        let mut uniques = vec![format!("{} number {}", self.event, self.number)];
        uniques.extend(self.barcode().map(|barcode| format!("{} barcode {barcode}", self.event)));
        let seat = |seat: &Seat| format!("{} seat {} {:?} {:?}", self.event, seat.number, seat.row, seat.sector);
        uniques.extend(self.seat.as_deref().map(seat));
        uniques
    }
}

impl RowConstraints for Order {
    fn unique_values(&self) -> Vec<String> {
        vec![self.number.to_string()]
    }
}

impl RowConstraints for Promocode {
    fn unique_values(&self) -> Vec<String> {
        vec![format!("{} code {}", self.event, self.code.folded())]
    }

    fn satisfies_checks(&self) -> bool {
        self.uses.is_balanced()
    }
}

impl RowConstraints for RefundRequest {
    fn satisfies_checks(&self) -> bool {
        self.amounts().total() >= Money::ZERO
    }
}

impl RowConstraints for SeatRowInventory {
    fn unique_values(&self) -> Vec<String> {
        vec![format!("{} row {:?}", self.set, self.row)]
    }

    fn satisfies_checks(&self) -> bool {
        self.seats > 0 && self.vacant.longest_run() <= self.seats
    }
}
