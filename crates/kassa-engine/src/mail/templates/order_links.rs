//! "Here are your orders again."

use kassa_texts::{Language, Texts};

use super::builder::{ComposedMail, MailBuilder};

/// An order, as a mail names it.
pub(super) struct LinkedOrder<'a> {
    pub(super) number: String,
    /// The title of its event.
    pub(super) event: &'a str,
    /// The address of its page.
    pub(super) page: String,
}

/// The orders that were made with an address, in the shop of this host.
pub(super) fn write(orders: &[LinkedOrder<'_>], host: &str, language: Language) -> ComposedMail {
    let texts = Texts::of(language);
    let mut sheet = MailBuilder::in_language(language);
    sheet.paragraph(&texts.text("mail-links"));
    for order in orders {
        let label = format!("{} {}", texts.text("document-order"), order.number);
        sheet.labeled_values(&[(&label, order.event)]);
        sheet.link(&texts.text("mail-order-page"), &order.page);
    }
    sheet.paragraph(&texts.text("mail-links-hint"));
    sheet.finish(&texts.about("mail-links-subject", host))
}
