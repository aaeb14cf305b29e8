//! What documents of a paid order are made of: its rows, and what they say.

use kassa_documents::calendar::{CalendarEntry, describe_order};
use kassa_documents::tickets::{EventTime, TicketPage, TicketPrice, TicketsDocument};
use kassa_documents::{Fonts, Language, ReturnDeadline, ReturnTerms};
use kassa_domain::event::{Event, EventStatus};
use kassa_domain::geo::{self, City};
use kassa_domain::hall_map::HallMap;
use kassa_domain::order::{Order, OrderId, OrderLine, OrderStatus, Visitor};
use kassa_domain::partner::Partner;
use kassa_domain::seating::RowName;
use kassa_domain::set::TicketSet;
use kassa_domain::ticket::Ticket;
use kassa_domain::venue::Venue;
use kassa_domain::{Money, ReadSet, Timestamp, View};
use url::Url;

use crate::engine::Engine;
use crate::failure::Failure;

/// A paid order with tickets that it still has.
pub struct PaidOrder<'a> {
    pub(crate) event: &'a Event,
    pub(crate) venue: Option<&'a Venue>,
    pub(crate) city: Option<City>,
    pub(crate) order: &'a Order,
    /// What its customer can show.
    pub(crate) code: &'a str,
    organizer: Option<&'a Partner>,
    vendor: Option<&'a Partner>,
    /// In the order of the event's sets, and in each by seats and numbers.
    pub(crate) tickets: Vec<SoldTicket<'a>>,
}

/// A ticket with its barcode.
pub(crate) struct SoldTicket<'a> {
    pub(crate) set: &'a TicketSet,
    map: Option<&'a HallMap>,
    pub(crate) ticket: &'a Ticket,
    pub(crate) barcode: &'a str,
    line: Option<&'a OrderLine>,
}

impl Engine {
    /// The fonts of documents.
    pub fn fonts(&self) -> &Fonts {
        self.inner.fonts.get_or_init(Fonts::embedded)
    }

    /// Writes documents with these fonts, if none was written yet.
    pub fn use_fonts(&self, fonts: Fonts) {
        // Whoever comes first is the server's start.
        let _ = self.inner.fonts.set(fonts);
    }

    /// The rows that documents of an order are made of: the order with its tickets and their sets, its event and where that
    /// is, and who organizes and sells.
    pub async fn rows_of_documents(
        &self,
        order: OrderId,
        event: kassa_domain::event::EventId,
    ) -> Result<View, Failure> {
        let (events, orders, held_by) = (vec![event], vec![order], vec![order]);
        let mut view = self.view(&ReadSet { events, orders, tickets_held_by: held_by, ..ReadSet::default() }).await?;
        let mut sets: Vec<_> = view.tickets.rows().map(|ticket| ticket.set).collect();
        sets.sort_unstable();
        sets.dedup();
        let (event, order) = (view.events.get(event), view.orders.get(order));
        // Maps are large, and say something only of seats.
        let has_seats = view.tickets.rows().any(|ticket| ticket.seat.is_some());
        let around = ReadSet {
            sets,
            venues: event.and_then(|event| event.venue).into_iter().collect(),
            hall_maps: event.and_then(|event| event.hall_map).filter(|_| has_seats).into_iter().collect(),
            partners: order.map(|order| vec![order.organizer, order.vendor]).unwrap_or_default(),
            ..ReadSet::default()
        };
        view.extend(self.view(&around).await?);
        Ok(view)
    }
}

impl<'a> PaidOrder<'a> {
    /// An order over its [rows](Engine::rows_of_documents). `None` if it is not paid, or has no tickets any more.
    pub fn from_view(order: OrderId, view: &'a View) -> Option<Self> {
        let order = view.orders.get(order)?;
        let OrderStatus::Paid { code, .. } = &order.status else { return None };
        let event = view.events.get(order.event)?;
        let venue = event.venue.and_then(|venue| view.venues.get(venue));
        let map = event.hall_map.and_then(|map| view.hall_maps.get(map));
        let sold = |ticket: &'a Ticket| {
            let (set, barcode) = (view.sets.get(ticket.set)?, ticket.barcode()?);
            let line = order.lines.iter().find(|line| line.ticket == ticket.id);
            Some(SoldTicket { set, map, ticket, barcode, line })
        };
        let own = view.tickets.rows().filter(|ticket| ticket.holder() == Some(order.id));
        let mut tickets: Vec<SoldTicket<'a>> = own.filter_map(sold).collect();
        tickets.sort_unstable_by_key(|sold| (sold.set.pos, sold.set.id, sold.row_and_seat(), sold.ticket.number));
        let city = venue.and_then(|venue| venue.city).and_then(geo::city);
        let organizer = view.partners.get(order.organizer);
        let vendor = view.partners.get(order.vendor).filter(|_| order.vendor != order.organizer);
        (!tickets.is_empty()).then_some(Self { event, venue, city, order, code, organizer, vendor, tickets })
    }

    /// The language of its customer, if documents are written in it.
    pub fn language(&self) -> Language {
        self.order.customer.lang.as_deref().and_then(Language::of_tag).unwrap_or_default()
    }

    /// The name of its event.
    pub(crate) fn title(&self, language: Language) -> &str {
        self.event.details.title_in(language.code())
    }

    /// How many tickets it has.
    pub fn ticket_count(&self) -> usize {
        self.tickets.len()
    }

    /// When its event is, as people at the venue read it.
    fn time(&self) -> Option<EventTime> {
        self.event.lifetime.map(|window| EventTime {
            start_ms: window.start.ms(),
            finish_ms: window.finish.map(Timestamp::ms),
            zone: self.city.map(|city| city.timezone.to_owned()),
        })
    }

    /// The same in the customer's language.
    pub(crate) fn time_in_words(&self) -> Option<String> {
        self.time().map(|time| time.one_line(self.language()))
    }

    /// Its tickets as a document.
    pub fn tickets_document(&self, language: Language) -> TicketsDocument {
        let policy = self.order.refund_policy;
        let deadline =
            if policy.after_start { ReturnDeadline::End } else { ReturnDeadline::DaysBefore(policy.days_before) };
        TicketsDocument {
            language,
            event: self.title(language).to_owned(),
            time: self.time(),
            place: self.venue.map(|venue| venue.name.clone()),
            address: self.address(language),
            organizer: self.organizer.map(|partner| partner.name.clone()).unwrap_or_default(),
            vendor: self.vendor.map(|partner| partner.name.clone()),
            website: self.organizer.and_then(|partner| partner.profile.contact.www.clone()),
            returns: ReturnTerms {
                kept_percent_e4: u32::try_from(policy.retained.units()).unwrap_or_default(),
                deadline,
            },
            order_number: self.order.number.to_string(),
            order_code: self.code.to_owned(),
            tickets: self.tickets.iter().map(|ticket| ticket.page(self.order)).collect(),
        }
    }

    /// Its event as an entry of a calendar; `None` while it has no time.
    pub fn calendar_entry(
        &self,
        language: Language,
        now: Timestamp,
        public_url: Option<&Url>,
    ) -> Option<CalendarEntry> {
        let window = self.event.lifetime?;
        let place = self.venue.map(|venue| venue.name.clone());
        let location: Vec<String> = place.into_iter().chain(self.address(language)).collect();
        let organizer = self.organizer.map_or("", |partner| &partner.name);
        Some(CalendarEntry {
            uid: format!("{}@kassa", self.order.id),
            written_ms: now.ms(),
            sequence: self.event.revision.number(),
            start_ms: window.start.ms(),
            finish_ms: window.finish.map(Timestamp::ms),
            summary: self.title(language).to_owned(),
            location: (!location.is_empty()).then(|| location.join(", ")),
            point: None,
            description: Some(describe_order(language, &self.order.number.to_string(), self.code, organizer)),
            url: public_url.map(|url| self.event_page(url)),
            is_canceled: self.event.status == EventStatus::Canceled,
        })
    }

    /// Where the shop shows the event.
    pub(crate) fn event_page(&self, public_url: &Url) -> String {
        format!("{}/e/{}", public_url.as_str().trim_end_matches('/'), self.event.id)
    }

    /// The address of the venue, and its city where the address does not name it.
    pub(crate) fn address(&self, language: Language) -> Option<String> {
        let venue = self.venue?;
        let address = venue.profile.address.as_deref().unwrap_or_default().trim();
        let names = self.city.map(|city| city.names);
        let is_named = names.is_some_and(|names| names.by_language().any(|(_, name)| address.contains(name)));
        let city = names.map_or("", |names| names.in_language(language.code()));
        let city = if is_named { "" } else { city };
        let parts: Vec<&str> = [address, city].into_iter().filter(|part| !part.is_empty()).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

impl<'a> SoldTicket<'a> {
    pub(crate) fn row_and_seat(&self) -> Option<(&'a RowName, u16)> {
        self.ticket.seat.as_ref().map(|seat| (&seat.row, seat.number))
    }

    /// The sector, as people call it; nothing where the set is called so already.
    pub(crate) fn sector(&self) -> &'a str {
        let Some(seat) = &self.ticket.seat else { return "" };
        let on_map = self.map.and_then(|map| map.sector(&seat.sector));
        let name = on_map.map_or(&seat.sector, |sector| &sector.name);
        if *name == self.set.name { "" } else { name }
    }

    fn page(&self, order: &Order) -> TicketPage {
        let paid = self.line.map(|line| line.price.full());
        let price = match paid {
            _ if order.payment.is_invitation() => TicketPrice::Invitation,
            None | Some(Money::ZERO) => TicketPrice::Free,
            Some(paid) => TicketPrice::Amount(paid.minor()),
        };
        TicketPage {
            category: self.set.name.clone(),
            sector: Some(self.sector().to_owned()).filter(|sector| !sector.trim().is_empty()),
            row_and_seat: self.row_and_seat().map(|(row, seat)| (row.to_string(), seat.to_string())),
            number: format!("{} {}", self.set.serial, self.ticket.number),
            price,
            holder: order.notes.visitor_of(self.ticket.id).map(full_name).filter(|name| !name.is_empty()),
            barcode: self.barcode.to_owned(),
        }
    }
}

fn full_name(visitor: &Visitor) -> String {
    let names = [Some(visitor.name.as_str()), visitor.middle_name.as_deref(), Some(visitor.surname.as_str())];
    let names: Vec<&str> = names.into_iter().flatten().map(str::trim).filter(|name| !name.is_empty()).collect();
    names.join(" ")
}
