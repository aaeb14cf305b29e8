//! "Here are your tickets."

use kassa_domain::View;
use kassa_domain::event::Event;
use kassa_domain::geo::{self, City};
use kassa_domain::hall_map::HallMap;
use kassa_domain::order::{Order, OrderId, OrderStatus};
use kassa_domain::seating::RowName;
use kassa_domain::set::TicketSet;
use kassa_domain::ticket::Ticket;
use kassa_domain::venue::Venue;

use super::builder::{ComposedMail, InlineImage, MailBuilder, join_nonempty};
use super::{qr, time};

/// What a customer has bought.
pub(super) struct TicketsMail<'a> {
    event: &'a Event,
    venue: Option<&'a Venue>,
    city: Option<City>,
    order: &'a Order,
    /// What its customer can show.
    code: &'a str,
    tickets: Vec<SoldTicket<'a>>,
}

/// A ticket with its barcode.
struct SoldTicket<'a> {
    set: &'a TicketSet,
    map: Option<&'a HallMap>,
    ticket: &'a Ticket,
    barcode: &'a str,
}

impl<'a> TicketsMail<'a> {
    /// The tickets of a paid order in `view`, with the venue in `places`. `None` when there are none,
    /// or not any more.
    pub(super) fn from_view(order: OrderId, view: &'a View, places: &'a View) -> Option<Self> {
        let order = view.orders.get(order)?;
        let OrderStatus::Paid { code, .. } = &order.status else { return None };
        let event = view.events.get(order.event)?;
        let venue = event.venue.and_then(|venue| places.venues.get(venue));
        let sold = |ticket: &'a Ticket| {
            let (set, barcode) = (view.sets.get(ticket.set)?, ticket.barcode()?);
            Some(SoldTicket { set, map: view.hall_map_of(event), ticket, barcode })
        };
        let own = view.tickets.rows().filter(|ticket| ticket.holder() == Some(order.id));
        let mut sold: Vec<SoldTicket<'a>> = own.filter_map(sold).collect();
        sold.sort_unstable_by_key(|sold| (sold.set.pos, sold.set.id, sold.row_and_seat(), sold.ticket.number));
        let city = venue.and_then(|venue| venue.city).and_then(geo::city);
        (!sold.is_empty()).then_some(Self { event, venue, city, order, code, tickets: sold })
    }

    pub(super) fn write(&self) -> ComposedMail {
        let zone = self.city.map(|city| city.timezone);
        let when = self.event.lifetime.map(|window| time::format_window(&window, zone)).unwrap_or_default();
        let order = format!("{}, code {}", self.order.number, self.code);
        let mut sheet = MailBuilder::default();
        sheet.heading(&self.event.details.title);
        sheet.labeled_values(&[("When", &when), ("Where", &self.venue_line()), ("Order", &order)]);
        for sold in &self.tickets {
            sold.write(&mut sheet);
        }
        sheet.paragraph("Please have the barcode of each ticket ready at the entrance, on paper or on a screen.");
        sheet.finish(&format!("Your tickets: {}", self.event.details.title))
    }

    /// The venue with its address, and its city where the address does not name it.
    fn venue_line(&self) -> String {
        let Some(venue) = self.venue else { return String::new() };
        let address = venue.profile.address.as_deref().unwrap_or_default();
        let city = self.city.map_or("", |city| city.names.in_language("en"));
        let city = if address.contains(city) { "" } else { city };
        join_nonempty([&venue.name, address, city])
    }
}

impl<'a> SoldTicket<'a> {
    fn row_and_seat(&self) -> Option<(&'a RowName, u16)> {
        self.ticket.seat.as_ref().map(|seat| (&seat.row, seat.number))
    }

    /// The sector, as people call it; nothing where the set is called so already.
    fn sector(&self) -> &'a str {
        let Some(seat) = &self.ticket.seat else { return "" };
        let on_map = self.map.and_then(|map| map.sector(&seat.sector));
        let name = on_map.map_or(&seat.sector, |sector| &sector.name);
        if *name == self.set.name { "" } else { name }
    }

    fn write(&self, sheet: &mut MailBuilder) {
        let TicketSet { name, serial, .. } = self.set;
        let [row, seat] = self
            .row_and_seat()
            .map_or_else(Default::default, |(row, number)| [format!("row {row}"), format!("seat {number}")]);
        let what = join_nonempty([name, self.sector(), &row, &seat, &format!("{serial} {}", self.ticket.number)]);
        let name = format!("{}@kassa", self.ticket.id);
        let picture = qr::png_of_barcode(self.barcode).map(|png| InlineImage { name, png });
        sheet.ticket(&what, self.barcode, picture);
    }
}
