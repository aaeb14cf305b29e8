//! Tickets of an event, page by page: each page starts behind the last ticket of the one before.

use kassa_domain::event::EventId;
use kassa_domain::seating::RowName;
use kassa_domain::set::SetId;
use kassa_domain::ticket::{Ticket, TicketId};

use super::partners::root_key;
use super::{Conditions, Filter};

/// Tickets of an event in the order of their numbers.
#[derive(Clone, Debug)]
pub struct TicketsFilter {
    /// Of which event.
    pub event: EventId,
    /// Only of these sets; removed ones are left out by the caller.
    pub sets: Vec<SetId>,
    /// Only in one of these states: vacant, held, sold, blocked.
    pub states: [bool; 4],
    /// Only these.
    pub ids: Option<Vec<TicketId>>,
    /// Only behind this number.
    pub after: i64,
}

/// Tickets with seats in one sector of an event, in the order of their seats.
#[derive(Clone, Debug)]
pub struct SeatsFilter {
    /// Of which event.
    pub event: EventId,
    /// In which sector.
    pub sector: String,
    /// Only of these sets; removed ones are left out by the caller.
    pub sets: Vec<SetId>,
    /// Only in one of these states: vacant, held, sold, blocked.
    pub states: [bool; 4],
    /// Only these.
    pub ids: Option<Vec<TicketId>>,
    /// Only behind this seat.
    pub after: Option<(RowName, u16)>,
}

impl Filter for TicketsFilter {
    type Row = Ticket;
    const ORDER: &'static str = "number";

    fn conditions(&self, sql: &mut Conditions) {
        sql.add("event = ? AND number > ?", [root_key(self.event).into(), self.after.into()]);
        add_ticket_conditions(sql, &self.sets, self.states, self.ids.as_deref());
    }
}

impl Filter for SeatsFilter {
    type Row = Ticket;
    const ORDER: &'static str = "row_order, seat_number";

    fn conditions(&self, sql: &mut Conditions) {
        let args = [root_key(self.event).into(), self.sector.clone().into()];
        sql.add("event = ? AND sector = ? AND row_order IS NOT NULL", args);
        if let Some((row, number)) = &self.after {
            let args = [row.sort_key().to_owned().into(), i64::from(*number).into()];
            sql.add("(row_order, seat_number) > (?, ?)", args);
        }
        add_ticket_conditions(sql, &self.sets, self.states, self.ids.as_deref());
    }
}

fn add_ticket_conditions(sql: &mut Conditions, sets: &[SetId], states: [bool; 4], ids: Option<&[TicketId]>) {
    sql.one_of("set_id", sets.iter().map(|set| set.key().into()));
    if let Some(ids) = ids {
        sql.one_of_ids(ids);
    }
    if states != [true; 4] {
        let states = (0_i64..).zip(states).filter(|(_, on)| *on);
        sql.one_of("state", states.map(|(state, _)| state.into()));
    }
}
