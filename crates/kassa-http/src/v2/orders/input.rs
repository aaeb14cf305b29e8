//! What a request says to an order: the same on POST and PATCH.

use kassa_domain::deal::{Deal, DealId};
use kassa_domain::event::{DEFAULT_TICKETS_LIMIT, Event, EventId};
use kassa_domain::order::{
    CheckoutPatch, CreateOrder, CustomerPatch, OrderEdit, OrderNotesPatch, PaymentPatch, TicketSelection,
    UnusablePromocodePolicy, VENDOR_DATA_ENTRIES_MAX, VendorDataValue,
};
use kassa_domain::partner::PartnerId;
use kassa_domain::seating::Seating;
use kassa_domain::set::SetId;
use kassa_domain::ticket::TicketId;
use kassa_domain::{Patch, ReadSet, Refusal, Timestamp};
use kassa_engine::Engine;
use utoipa::PartialSchema;
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};

use super::answers::{AnswersInput, HoldersInput, TicketAnswersInput, checkout_patch};
use super::seats::{SeatsOfSets, tickets_of_seats};
use crate::error::{ApiError, ErrorDetail, shorten};
use crate::input::{
    EmailText, Flag, FromJson, IdMap, Input, LineText, List, Problems, PromocodeCodeInput, fields, object_members,
    parse_object, parse_whole_number, required_value,
};
use crate::openapi::schema;
use crate::related::RelatedRows;
use crate::wire::{
    IdOrObject, IdRef, OrderStatusInput, SetCounts, TicketList, TimeInput, object_patch, promocode_codes,
    ticket_selection,
};

/// The longest key of a vendor's own data, in characters.
const RAW_KEY_CHARS_MAX: usize = 40;

fields! {
    /// The actions of a request.
    pub(crate) struct OrderInput {
        /// The event of a new order, which never changes. It can be left out if `tickets` or `random` name some.
        event: Input<IdRef<Event>>,
        /// For a new order of an agent: the deal to sell under; its newest accepted one by default.
        deal: Input<IdRef<Deal>>,
        /// All tickets that the order is to hold, by id. Tickets that it holds and that are not named go back on sale.
        tickets: Input<TicketList>,
        /// In place of `tickets`: how many tickets of each set it is to hold, from the id of the set to the number,
        /// including those that it holds.
        random: Input<SetCounts>,
        /// In place of `tickets`: the seats that it is to hold, from the id of the set to its rows with ranges of numbers,
        /// as sets have them.
        seats: Input<SeatsOfSets>,
        /// Whether to change no tickets at all unless everything asked for is available; `false` by default.
        all_or_nothing: Input<Flag>,
        /// All codes that the order is to use; `[]` or `null` for none. Codes that cannot be used are left out, and
        /// named in `errors`.
        promocodes: Input<List<PromocodeCodeInput>>,
        /// What was agreed with the customer. `null` clears all of it.
        settings: Input<SettingsInput>,
        /// Answers to the questions of the event that are asked for each order, by the ids of the questions: a text, or
        /// `true` and `false`. `null` takes one away; those that are not named stay.
        answers: Input<AnswersInput>,
        /// Answers to questions that are asked for each ticket, by the ids of tickets of the order.
        ticket_answers: Input<TicketAnswersInput>,
        /// The names on tickets, by their ids; `null` takes one away. Whoever has bought may change them until
        /// `name_change_until` of the event.
        holders: Input<HoldersInput>,
        /// What the vendor wants to store with the order. `null` clears all of it.
        vendor_data: Input<VendorDataInput>,
        /// Until when to hold the tickets: no longer than the event allows.
        expired_after: Input<TimeInput>,
        /// For an existing order: `in_progress` begins payment, `done` reports it paid, `cancelled` (also `canceled`)
        /// cancels it.
        status: Input<OrderStatusInput>,
    }
}

impl OrderInput {
    /// The same by the ids of the tickets: a name that is wrong is left for whoever reads the rest.
    pub(super) async fn with_tickets_of_seats(mut self, engine: &Engine) -> Result<Self, ApiError> {
        let IdMap(wanted) = match std::mem::take(&mut self.seats) {
            Input::Given(wanted) => wanted,
            other @ (Input::Absent | Input::Null | Input::Invalid(_)) => {
                self.seats = other;
                return Ok(self);
            }
        };
        if !matches!((&self.tickets, &self.random), (Input::Absent, Input::Absent)) {
            let detail = ErrorDetail::new("$.seats", "must not be given together with tickets or random");
            return Err(ApiError::invalid(vec![detail]));
        }
        let wanted: Vec<(SetId, Seating)> = wanted.into_iter().map(|(set, seats)| (set, seats.0.0)).collect();
        let count: i64 = wanted.iter().map(|(_, seats)| seats.count()).sum();
        if count > i64::from(DEFAULT_TICKETS_LIMIT) {
            return Err(Refusal::TicketsLimit(DEFAULT_TICKETS_LIMIT).into());
        }
        let tickets = tickets_of_seats(&wanted, engine).await?;
        self.tickets = Input::Given(List(tickets.into_iter().map(IdOrObject).collect()));
        Ok(self)
    }

    pub(super) fn into_edit(self, problems: &mut Problems) -> OrderEdit {
        let settings = self.settings.patch("settings", problems);
        let settings = object_patch(settings, |settings| settings, SettingsInput::clear).unwrap_or_default();
        let checkout = checkout_patch(self.answers, self.ticket_answers, self.holders, problems);
        let checkout = CheckoutPatch { accepted_terms: settings.accepted_terms, ..checkout };
        let data = self.vendor_data.patch("vendor_data", problems);
        let data = object_patch(data, |data| data, VendorDataInput::clear).unwrap_or_default();
        let notes =
            OrderNotesPatch { subscribe_agree: settings.subscribe_agree, order_id: data.order_id, raw: data.raw };
        // Those that were well named are tickets by now.
        let _seats = self.seats.optional("seats", problems);
        let has_notes = notes.subscribe_agree.is_given() || notes.order_id.is_given() || notes.raw.is_given();
        OrderEdit {
            selection: ticket_selection(self.tickets, self.random, problems),
            all_or_nothing: self.all_or_nothing.optional("all_or_nothing", problems).is_some_and(|flag| flag.0),
            needs_tickets: false,
            network: None,
            customer: settings.customer,
            payment: settings.payment,
            notes: has_notes.then_some(notes),
            checkout: (!checkout.is_empty()).then(|| Box::new(checkout)),
            hold_till: self.expired_after.optional("expired_after", problems).map(|time| time.0),
            promocodes: promocode_codes(self.promocodes, problems),
            on_unusable_promocode: UnusablePromocodePolicy::LeaveOut,
            transition: self.status.patch_non_null("status", problems).value().map(|step| step.0),
        }
    }

    /// As a new order.
    pub(super) fn into_new_order(mut self) -> Result<NewOrderInput, ApiError> {
        let mut problems = Problems::default();
        let event = std::mem::take(&mut self.event).optional("event", &mut problems).map(|id| id.0);
        let deal = std::mem::take(&mut self.deal).optional("deal", &mut problems).map(|id| id.0);
        let mut edit = self.into_edit(&mut problems);
        // It is executed; where it goes from there is for PATCH to say.
        edit.transition = None;
        let wanted = match (event, edit.selection.as_ref()) {
            (Some(event), _) => Some(EventLocator::Event(event)),
            (None, Some(TicketSelection::Tickets(tickets))) => tickets.first().copied().map(EventLocator::Ticket),
            (None, Some(TicketSelection::AnyOfSets(sets))) => sets.first().map(|(set, _)| EventLocator::Set(*set)),
            (None, None) => None,
        };
        if wanted.is_none() && problems.is_empty() {
            problems.add("event", "is required");
        }
        problems.finish()?;
        Ok(NewOrderInput { event_locator: required_value(wanted)?, deal, edit })
    }
}

/// A new order.
pub(super) struct NewOrderInput {
    event_locator: EventLocator,
    deal: Option<DealId>,
    edit: OrderEdit,
}

/// By what the event of a new order is found.
enum EventLocator {
    Event(EventId),
    Ticket(TicketId),
    Set(SetId),
}

impl NewOrderInput {
    /// How many promocodes it names.
    pub(super) fn promocodes(&self) -> usize {
        self.edit.promocodes.as_ref().map_or(0, Vec::len)
    }

    /// The command that makes it, and what its answer shows besides.
    pub(super) async fn into_command(
        self,
        engine: &Engine,
        vendor: PartnerId,
    ) -> Result<(CreateOrder, RelatedRows), ApiError> {
        let event = self.event_locator.find(engine).await?;
        let related = RelatedRows::beside_new_order(engine, event, vendor).await?;
        Ok((CreateOrder { event, vendor, deal: self.deal, edit: self.edit }, related))
    }
}

impl EventLocator {
    /// The event that is named, else that of the first ticket or set that is.
    async fn find(self, engine: &Engine) -> Result<EventId, ApiError> {
        match self {
            Self::Event(event) => Ok(event),
            Self::Ticket(ticket) => {
                let view = engine.view(&ReadSet { tickets: vec![ticket], ..ReadSet::default() }).await?;
                Ok(view.tickets.get(ticket).ok_or(Refusal::TicketUnknown(ticket))?.event)
            }
            Self::Set(set) => {
                let view = engine.view(&ReadSet { sets: vec![set], ..ReadSet::default() }).await?;
                Ok(view.sets.get(set).ok_or(Refusal::SetUnknown(set))?.event)
            }
        }
    }
}

fields! {
    struct SettingsFields {
        /// Whether the tickets are free; `false` by default. Only the organizer can say so.
        invitation: Input<Flag>,
        /// Whether to mail the tickets to the customer once the order is paid; `false` by default.
        send_tickets: Input<Flag>,
        /// Whether the customer agrees to receive news; `false` by default.
        subscribe_agree: Input<Flag>,
        /// The terms of the seller's shop that the customer accepts, by their `since`.
        accepted_terms: Input<TimeInput>,
        /// Who buys. `null` clears all of it.
        customer: Input<CustomerInput>,
    }
}

/// What was agreed with the customer.
#[derive(Default)]
pub(super) struct SettingsInput {
    payment: Option<PaymentPatch>,
    subscribe_agree: Patch<bool>,
    accepted_terms: Patch<Timestamp>,
    customer: Option<CustomerPatch>,
}

impl SettingsInput {
    fn clear() -> Self {
        let payment = PaymentPatch { invitation: Patch::Clear, send_tickets: Patch::Clear, ..PaymentPatch::default() };
        Self {
            payment: Some(payment),
            subscribe_agree: Patch::Clear,
            accepted_terms: Patch::Clear,
            customer: Some(CustomerPatch::clear()),
        }
    }
}

impl FromJson for SettingsInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let fields: SettingsFields = parse_object(json)?;
        let mut problems = Problems::default();
        let invites = fields.invitation.patch("invitation", &mut problems).map(|flag| flag.0);
        let send_tickets = fields.send_tickets.patch("send_tickets", &mut problems).map(|flag| flag.0);
        let pays = invites.is_given() || send_tickets.is_given();
        let customer = fields.customer.patch("customer", &mut problems);
        let customer = object_patch(customer, |customer| customer.0, CustomerPatch::clear);
        let settings = Self {
            payment: pays.then(|| PaymentPatch { invitation: invites, send_tickets, ..PaymentPatch::default() }),
            subscribe_agree: fields.subscribe_agree.patch("subscribe_agree", &mut problems).map(|flag| flag.0),
            accepted_terms: fields.accepted_terms.patch("accepted_terms", &mut problems).map(|time| time.0),
            customer,
        };
        problems.into_result(settings)
    }

    fn json_schema() -> RefOr<Schema> {
        SettingsFields::schema()
    }
}

fields! {
    struct CustomerFields {
        /// The full name; up to 255 characters. Version 1 shows its last word as `last_name` and the rest as
        /// `first_name`.
        name: Input<LineText>,
        /// The e-mail address: required before the order can be paid.
        email: Input<EmailText>,
        /// The phone number, in any form; up to 64 characters.
        phone: Input<LineText<64>>,
        /// The preferred language, such as `en`; up to 8 characters.
        lang: Input<LineText<8>>,
    }
}

struct CustomerInput(CustomerPatch);

impl FromJson for CustomerInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let fields: CustomerFields = parse_object(json)?;
        let mut problems = Problems::default();
        let patch = CustomerPatch {
            email: fields.email.patch("email", &mut problems).map(|address| address.0),
            mobile: fields.phone.patch("phone", &mut problems).map(|text| text.0),
            lang: fields.lang.patch("lang", &mut problems).map(|text| text.0),
            ..CustomerPatch::with_full_name(fields.name.patch("name", &mut problems).map(|text| text.0))
        };
        problems.into_result(Self(patch))
    }

    fn json_schema() -> RefOr<Schema> {
        CustomerFields::schema()
    }
}

fields! {
    struct VendorDataFields {
        /// The vendor's own number of the order; up to 64 characters.
        order_id: Input<LineText<64>>,
        /// Further data of the vendor, by key: up to 20 entries in all. They are added to those that are stored;
        /// `null` removes one.
        raw: Input<VendorRawInput>,
    }
}

/// What the vendor keeps with the order.
#[derive(Default)]
pub(super) struct VendorDataInput {
    order_id: Patch<String>,
    raw: Patch<Vec<(String, Option<VendorDataValue>)>>,
}

impl VendorDataInput {
    fn clear() -> Self {
        Self { order_id: Patch::Clear, raw: Patch::Clear }
    }
}

impl FromJson for VendorDataInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let fields: VendorDataFields = parse_object(json)?;
        let mut problems = Problems::default();
        let data = Self {
            order_id: fields.order_id.patch("order_id", &mut problems).map(|text| text.0),
            raw: fields.raw.patch("raw", &mut problems).map(|raw| raw.0),
        };
        problems.into_result(data)
    }

    fn json_schema() -> RefOr<Schema> {
        VendorDataFields::schema()
    }
}

struct VendorRawInput(Vec<(String, Option<VendorDataValue>)>);

impl FromJson for VendorRawInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let raw = object_members(json, VENDOR_DATA_ENTRIES_MAX as usize)?;
        let (mut entries, mut problems) = (Vec::with_capacity(raw.len()), Vec::new());
        for (key, value) in raw {
            match parse_scalar(&key, value.get()) {
                Ok(value) => entries.push((key.into_owned(), value)),
                Err(problem) => problems.push(ErrorDetail::new(format!(".{}", shorten(&key)), problem)),
            }
        }
        if problems.is_empty() { Ok(Self(entries)) } else { Err(problems) }
    }

    fn json_schema() -> RefOr<Schema> {
        let flag = ObjectBuilder::new().schema_type(Type::Boolean);
        let value = schema::any_of([
            schema::text().max_length(Some(VendorDataValue::CHARS_MAX)).into(),
            schema::integer().into(),
            flag.into(),
        ]);
        let key = schema::line(RAW_KEY_CHARS_MAX);
        let raw = ObjectBuilder::new().schema_type(Type::Object).max_properties(Some(VENDOR_DATA_ENTRIES_MAX as usize));
        raw.property_names(Some(key.build())).additional_properties(Some(schema::nullable(value))).into()
    }
}

/// A value of a vendor's own data; `None` for null.
fn parse_scalar(key: &str, json: &str) -> Result<Option<VendorDataValue>, String> {
    if key.chars().count() > RAW_KEY_CHARS_MAX || key.chars().any(char::is_control) {
        return Err(format!("must have a key of at most {RAW_KEY_CHARS_MAX} characters, without control characters"));
    }
    let wanted = || {
        let max = VendorDataValue::CHARS_MAX;
        format!("must be a text of at most {max} characters, a whole number, true, false or null")
    };
    match json {
        "null" => Ok(None),
        "true" | "false" => Ok(Some(VendorDataValue::Flag(json == "true"))),
        text if text.starts_with('"') => {
            let text = LineText::<{ VendorDataValue::CHARS_MAX }>::from_json(text).map_err(|_| wanted())?;
            Ok(Some(VendorDataValue::Text(text.0)))
        }
        number => parse_whole_number(number).map(|number| Some(VendorDataValue::Number(number))).ok_or_else(wanted),
    }
}
