//! An order in words.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use kassa_texts::Texts;

use super::asked::Asked;
use super::model::{Customer, NextStep, OrderData, OrderRefs, OrderStatus, OrderTicket, PaymentData};
use crate::api::Seller;
use crate::form::Form;
use crate::model::{EventData, EventStatus, PartnerData};
use crate::qr::{QrPicture, qr_of};
use crate::request::PageRequest;
use crate::shop::Shop;
use crate::views::{Artwork, When, event_path, moment, money_back_key, place_line};

/// How long tickets are held for somebody who wants more time, for each minute that they are held for others.
const EXTENSION: i64 = 2;

/// An order in words.
#[derive(Debug)]
pub(crate) struct OrderView {
    pub(crate) status: OrderStatus,
    /// Whether its event was called off.
    pub(crate) is_called_off: bool,
    pub(crate) code: Option<String>,
    pub(crate) event_title: String,
    /// Where the event is shown, while it is.
    pub(crate) event_path: Option<String>,
    /// Whether the event was called off.
    pub(crate) is_event_canceled: bool,
    pub(crate) artwork: Artwork,
    pub(crate) when: Option<When>,
    pub(crate) place: String,
    pub(crate) seller: String,
    pub(crate) lines: Vec<LineView>,
    /// What promocodes and promotions take off, if they do.
    pub(crate) discount: Option<String>,
    pub(crate) total: String,
    pub(crate) is_free: bool,
    pub(crate) promocodes: Vec<String>,
    pub(crate) customer: CustomerView,
    /// Until when tickets are held: for programs, and as a time of day.
    pub(crate) held_till: (String, String),
    /// For how many seconds that is, at most.
    pub(crate) held_s: i64,
    /// Until when they can be held, for whoever needs longer.
    pub(crate) extension: Option<String>,
    /// How it can be paid.
    pub(crate) providers: Vec<ProviderView>,
    pub(crate) payment: Option<PaymentView>,
    /// What happens with tickets that are given back.
    pub(crate) returns: String,
    /// What was granted to whoever has bought, and how far that is.
    pub(crate) refunded: Option<(String, String)>,
    /// What whoever buys is asked.
    pub(crate) asked: Asked,
}

/// A ticket in words.
#[derive(Debug)]
pub(crate) struct LineView {
    pub(crate) set: String,
    pub(crate) seat: Option<String>,
    /// The name on it.
    pub(crate) holder: Option<String>,
    pub(crate) price: String,
    pub(crate) barcode: Option<BarcodeView>,
}

/// What is read at the door: a picture for machines, and digits for people.
#[derive(Debug)]
pub(crate) struct BarcodeView {
    pub(crate) digits: String,
    pub(crate) picture: Option<QrPicture>,
}

/// Who buys, as far as it is known.
#[derive(Debug, Default)]
pub(crate) struct CustomerView {
    pub(crate) name: String,
    pub(crate) email: String,
    pub(crate) phone: String,
}

/// A way to pay.
#[derive(Debug)]
pub(crate) struct ProviderView {
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) about: String,
    pub(crate) is_first: bool,
}

/// A payment that is awaited.
#[derive(Debug)]
pub(crate) struct PaymentView {
    /// Where it goes on.
    pub(crate) url: Option<String>,
    pub(crate) instructions: Vec<(String, String)>,
    /// The same for programs of banks.
    pub(crate) code: Option<QrPicture>,
    pub(crate) is_at_door: bool,
}

impl OrderView {
    pub(crate) fn new(
        shop: &Shop,
        request: &PageRequest,
        data: &OrderData,
        refs: &OrderRefs,
        event: &EventData,
        vendor: &PartnerData,
        payments: Vec<PaymentData>,
    ) -> Self {
        let (texts, currency) = (request.texts(), shop.settings.currency);
        let (now, year) = shop.present();
        let zone = event.zone();
        let seller = match event.org.seen() {
            Some(organizer) if organizer.id == vendor.id => Seller::Organizer,
            _ => Seller::Agent(vendor.id.clone()),
        };
        let customer = data.settings.customer.as_ref();
        let back = money_back_key(payments.iter().map(|payment| payment.status.as_str()));
        let refunded = Some(data.refunded).filter(|sum| !sum.is_zero());
        let refunded = refunded.map(|sum| (texts.text(back), texts.amount(sum, currency)));
        let providers = vendor.shop.payments.iter().filter(|provider| shop.takes(provider)).enumerate();
        Self {
            status: data.status,
            is_called_off: event.status == EventStatus::Canceled,
            code: data.code.clone(),
            event_title: event.title.text.clone(),
            event_path: event.org.seen().map(|_| event_path(event, &seller)),
            is_event_canceled: event.status == EventStatus::Canceled,
            artwork: Artwork::of(event),
            when: event.span().map(|span| When::new(texts.language(), &span, year)),
            place: place_line(event, texts),
            seller: vendor.name.clone(),
            lines: data.tickets.iter().map(|ticket| line(ticket, refs, shop, texts)).collect(),
            discount: Some(data.values.discount).filter(|off| !off.is_zero()).map(|off| texts.amount(off, currency)),
            total: texts.amount(data.values.full, currency),
            is_free: data.values.full.is_zero(),
            promocodes: data
                .promocodes
                .iter()
                .filter_map(|id| refs.promocodes.get(id))
                .map(|it| it.code.clone())
                .collect(),
            customer: customer.map(CustomerView::of).unwrap_or_default(),
            held_till: (data.expired_after.to_string(), till(data.expired_after, now, &zone, texts)),
            held_s: data.expired_after.duration_since(now).as_secs().max(0),
            extension: extension(data, event),
            providers: providers.map(|(at, provider)| ProviderView::of(provider, at == 0, texts)).collect(),
            payment: payments
                .into_iter()
                .rfind(|payment| payment.status == "pending")
                .map(|it| PaymentView::of(it, texts)),
            asked: Asked::new(data, refs, event, vendor, (texts, now)),
            returns: data.refund_policy.terms().in_words(texts),
            refunded,
        }
    }

    /// The same, with what was typed into the form that buys.
    pub(crate) fn with_typed(mut self, form: &Form) -> Self {
        let CustomerView { name, email, phone } = &mut self.customer;
        for (field, value) in [("name", name), ("email", email), ("phone", phone)] {
            if let Some(typed) = form.value(&format!("settings.customer.{field}")) {
                typed.clone_into(value);
            }
        }
        self.asked = self.asked.with_typed(form);
        self
    }

    /// Whether it holds tickets that nobody has begun to pay.
    pub(crate) fn is_cart(&self) -> bool {
        self.status == OrderStatus::Executed
    }

    /// Whether its customer can give it up: it is not paid, and not over.
    pub(crate) fn is_open(&self) -> bool {
        self.status.is_open()
    }

    /// Whether it waits for money that is on its way.
    pub(crate) fn is_awaiting(&self) -> bool {
        self.status == OrderStatus::InProgress && self.payment.is_some()
    }

    /// Whether it has tickets, and no payment of it is under way.
    pub(crate) fn is_payable(&self) -> bool {
        self.is_cart() || (self.status == OrderStatus::InProgress && self.payment.is_none())
    }

    /// Whether it is paid, and still has tickets.
    pub(crate) fn is_paid(&self) -> bool {
        self.status == OrderStatus::Done && !self.lines.is_empty()
    }

    /// The keys of its title and of what is said below.
    pub(crate) fn state_texts(&self) -> [&'static str; 2] {
        match self.status {
            OrderStatus::Executed => ["order-cart", "order-cart-hint"],
            OrderStatus::InProgress if self.payment.is_none() => ["order-unpaid", "order-unpaid-hint"],
            OrderStatus::InProgress => ["order-awaiting", "order-awaiting-hint"],
            OrderStatus::Done if self.lines.is_empty() => ["order-returned", "order-returned-hint"],
            OrderStatus::Done if self.is_called_off => ["order-called-off", "order-called-off-hint"],
            OrderStatus::Done => ["order-paid", "order-paid-hint"],
            OrderStatus::Cancelled => ["order-canceled", "order-canceled-hint"],
            OrderStatus::Expired => ["order-expired", "order-expired-hint"],
        }
    }

    /// As styles know its state.
    pub(crate) fn state(&self) -> &'static str {
        match self.status {
            OrderStatus::Executed => "cart",
            OrderStatus::InProgress if self.payment.is_none() => "unpaid",
            OrderStatus::InProgress => "awaiting",
            OrderStatus::Done => "paid",
            OrderStatus::Cancelled => "canceled",
            OrderStatus::Expired => "expired",
        }
    }
}

/// A time of day; with its day, where that is not today's.
pub(crate) fn till(at: Timestamp, now: Timestamp, zone: &TimeZone, texts: &Texts) -> String {
    let local = at.to_zoned(zone.clone());
    if local.date() == now.to_zoned(zone.clone()).date() {
        return texts.language().time(&local);
    }
    moment(texts.language(), at, zone)
}

/// Until when its tickets can be held, if that is later than they are: as the interface reads it.
fn extension(data: &OrderData, event: &EventData) -> Option<String> {
    let longest = data.created_at + SignedDuration::from_mins(EXTENSION * i64::from(event.hold_minutes));
    let is_later = data.status == OrderStatus::Executed && data.expired_after < longest;
    is_later.then(|| longest.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
}

fn line(ticket: &OrderTicket, refs: &OrderRefs, shop: &Shop, texts: &Texts) -> LineView {
    LineView {
        set: refs.sets.get(&ticket.set).map(|set| set.name.clone()).unwrap_or_default(),
        seat: ticket.seat.as_ref().map(|seat| {
            let place = format!("{} {}, {} {}", texts.text("row"), seat.row, texts.text("seat"), seat.number);
            seat.sector.as_ref().map_or_else(|| place.clone(), |sector| format!("{sector}, {place}"))
        }),
        // What takes something off is a line of its own.
        price: texts.amount([ticket.full, ticket.discount].into_iter().sum(), shop.settings.currency),
        holder: ticket.holder.clone(),
        barcode: ticket.barcode.as_ref().map(|digits| BarcodeView { picture: qr_of(digits), digits: digits.clone() }),
    }
}

impl CustomerView {
    fn of(customer: &Customer) -> Self {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        Self { name: text(&customer.name), email: text(&customer.email), phone: text(&customer.phone) }
    }
}

impl ProviderView {
    fn of(provider: &str, is_first: bool, texts: &Texts) -> Self {
        let [title, about] = match provider {
            "TEST" => ["pay-test", "pay-test-hint"],
            "TRANSFER" => ["pay-transfer", "pay-transfer-hint"],
            "STRIPE" => ["pay-stripe", "pay-stripe-hint"],
            _ => ["pay-door", "pay-door-hint"],
        };
        Self { name: provider.to_owned(), title: texts.text(title), about: texts.text(about), is_first }
    }
}

impl PaymentView {
    fn of(payment: PaymentData, texts: &Texts) -> Self {
        let (mut url, mut instructions, mut code) = (None, Vec::new(), None);
        let is_at_door = payment.provider.as_deref() == Some("DOOR");
        match payment.next {
            Some(NextStep::Redirect { url: to }) => url = Some(to),
            Some(NextStep::Instructions(how)) if !is_at_door => {
                code = how.epc.as_deref().and_then(qr_of);
                let told = [
                    ("transfer-holder", how.holder),
                    ("transfer-iban", how.iban.as_deref().map(in_fours)),
                    ("transfer-bic", how.bic),
                    ("transfer-reference", how.reference),
                ];
                let told = told.into_iter().filter_map(|(key, value)| Some((texts.text(key), value?)));
                instructions = told.collect();
            }
            Some(NextStep::Instructions(_) | NextStep::Done) | None => {}
        }
        Self { url, instructions, code, is_at_door }
    }
}

/// The number of an account, as people read it: four digits at a time.
fn in_fours(iban: &str) -> String {
    let letters: Vec<char> = iban.chars().collect();
    letters.chunks(4).map(|four| four.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
}
