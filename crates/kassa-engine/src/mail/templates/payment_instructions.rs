//! "This is how you pay."

use jiff::tz::TimeZone;
use kassa_domain::event::{Event, EventId};
use kassa_domain::geo;
use kassa_domain::order::{Order, OrderId};
use kassa_domain::partner::TransferAccount;
use kassa_domain::payment::{OrderPayment, PaymentId, PaymentProvider, PaymentStatus};
use kassa_domain::venue::Venue;
use kassa_domain::{ReadSet, View};
use kassa_texts::{Amount, Currency, Language, Texts};

use super::builder::{ComposedMail, MailBuilder};
use super::{MailSettings, require_sellers_not_suspended};
use crate::engine::Engine;
use crate::failure::Failure;

/// A payment that waits for its money, and what it is for.
struct AwaitedPayment<'a> {
    order: &'a Order,
    event: &'a Event,
    venue: Option<&'a Venue>,
    payment: &'a OrderPayment,
    /// Where the money goes; none if it is paid at the door.
    account: Option<&'a TransferAccount>,
    currency: Option<Currency>,
}

impl Engine {
    /// How a payment is made; `None` if it waits for nothing any more.
    pub(super) async fn write_payment_instructions(
        &self,
        (event, order, payment): (EventId, OrderId, PaymentId),
        settings: &MailSettings,
    ) -> Result<Option<ComposedMail>, Failure> {
        let (events, orders, payments) = (vec![event], vec![order], vec![payment]);
        let mut view = self.view(&ReadSet { events, orders, payments, ..ReadSet::default() }).await?;
        let around = ReadSet {
            venues: view.events.get(event).and_then(|event| event.venue).into_iter().collect(),
            partners: view.orders.get(order).map(|it| vec![it.organizer, it.vendor]).unwrap_or_default(),
            ..ReadSet::default()
        };
        view.extend(self.view(&around).await?);
        require_sellers_not_suspended(order, &view)?;
        let Some(awaited) = AwaitedPayment::from_view((order, payment), &view, settings.currency) else {
            return Ok(None);
        };
        let page = self.order_page(awaited.order, &view, settings.public_url.as_ref());
        Ok(Some(awaited.write(page.as_deref())))
    }
}

impl<'a> AwaitedPayment<'a> {
    fn from_view((order, payment): (OrderId, PaymentId), view: &'a View, currency: Option<Currency>) -> Option<Self> {
        let order = view.orders.get(order).filter(|order| order.is_live())?;
        let payment = view.payments.get(payment).filter(|payment| payment.status == PaymentStatus::Pending)?;
        let event = view.events.get(order.event)?;
        let account = view.partners.get(order.vendor).and_then(|vendor| vendor.profile.shop.transfer.as_ref());
        let account = match payment.provider {
            // Without an account there is nothing to say.
            PaymentProvider::Transfer => Some(account?),
            PaymentProvider::Door => None,
            PaymentProvider::Test | PaymentProvider::Stripe => return None,
        };
        let venue = event.venue.and_then(|venue| view.venues.get(venue));
        Some(Self { order, event, venue, payment, account, currency })
    }

    fn write(&self, page: Option<&str>) -> ComposedMail {
        let language = self.order.customer.lang.as_deref().and_then(Language::of_tag).unwrap_or_default();
        let texts = Texts::of(language);
        let title = self.event.details.title_in(language.code());
        let mut sheet = MailBuilder::in_language(language);
        sheet.heading(title);
        let hint = if self.account.is_some() { "mail-transfer" } else { "mail-door" };
        sheet.paragraph(&texts.text(hint));
        let facts = self.facts(texts);
        let facts: Vec<(&str, &str)> = facts.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        sheet.labeled_values(&facts);
        if let Some(page) = page {
            sheet.paragraph(&texts.text("mail-payment-page-hint"));
            sheet.link(&texts.text("mail-order-page"), page);
        }
        let subject = if self.account.is_some() { "mail-transfer-subject" } else { "mail-door-subject" };
        sheet.finish(&texts.with(subject, &[("event", title)]))
    }

    /// What is to be paid, how, and until when.
    fn facts(&self, texts: &Texts) -> Vec<(String, String)> {
        let sum = texts.amount(Amount::of_hundredths(self.payment.missing().minor()), self.currency);
        let mut facts = vec![(texts.text("document-order"), self.order.number.to_string()), (texts.text("total"), sum)];
        if let Some(account) = self.account {
            let bic = account.bic.as_ref().map(ToString::to_string).unwrap_or_default();
            facts.extend([
                (texts.text("transfer-holder"), account.holder.clone()),
                (texts.text("transfer-iban"), account.iban.to_string()),
                (texts.text("transfer-bic"), bic),
                (texts.text("transfer-reference"), self.payment.reference.to_string()),
            ]);
        }
        facts.push((texts.text("mail-pay-until"), self.due(texts)));
        facts
    }

    /// Until when the money is awaited, at the place of the event.
    fn due(&self, texts: &Texts) -> String {
        let city = self.venue.and_then(|venue| venue.city).and_then(geo::city);
        let zone = city.and_then(|city| TimeZone::get(city.timezone).ok()).unwrap_or(TimeZone::UTC);
        let due_at = jiff::Timestamp::from_millisecond(self.payment.due_at.ms()).unwrap_or_default().to_zoned(zone);
        let language = texts.language();
        format!("{}, {} ({})", language.full_date(due_at.date()), language.time(&due_at), Language::zone(&due_at))
    }
}
