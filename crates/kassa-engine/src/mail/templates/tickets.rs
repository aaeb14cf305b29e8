//! "Here are your tickets."

use kassa_documents::Language;

use super::builder::{ComposedMail, InlineImage, MailBuilder, join_nonempty};
use super::{qr, reservation, time};
use crate::order_documents::{PaidOrder, SoldTicket};

/// What a customer has bought. The language is that of the address, as mails are written in English.
pub(super) fn write(paid: &PaidOrder<'_>) -> ComposedMail {
    let zone = paid.city.map(|city| city.timezone);
    let when = paid.event.lifetime.map(|window| time::format_window(&window, zone)).unwrap_or_default();
    let order = format!("{}, code {}", paid.order.number, paid.code);
    let mut sheet = MailBuilder::default();
    sheet.heading(&paid.event.details.title);
    sheet.labeled_values(&[("When", &when), ("Where", &venue_line(paid)), ("Order", &order)]);
    for sold in &paid.tickets {
        write_ticket(sold, &mut sheet);
    }
    sheet.paragraph("Please have the barcode of each ticket ready at the entrance, on paper or on a screen.");
    sheet.structured_data(&reservation::describe(paid));
    sheet.finish(&format!("Your tickets: {}", paid.event.details.title))
}

/// The venue with its address, and its city where the address does not name it.
fn venue_line(paid: &PaidOrder<'_>) -> String {
    let name = paid.venue.map_or("", |venue| &venue.name);
    join_nonempty([name, &paid.address(Language::En).unwrap_or_default()])
}

fn write_ticket(sold: &SoldTicket<'_>, sheet: &mut MailBuilder) {
    let (name, serial) = (&sold.set.name, &sold.set.serial);
    let [row, seat] = sold
        .row_and_seat()
        .map_or_else(Default::default, |(row, number)| [format!("row {row}"), format!("seat {number}")]);
    let what = join_nonempty([name, sold.sector(), &row, &seat, &format!("{serial} {}", sold.ticket.number)]);
    let name = format!("{}@kassa", sold.ticket.id);
    let picture = qr::png_of_barcode(sold.barcode).map(|png| InlineImage { name, png });
    sheet.ticket(&what, sold.barcode, picture);
}
