//! What a request says to an order: the same on POST and PATCH.

use std::collections::BTreeMap;

use kassa_domain::deal::{Deal, DealId};
use kassa_domain::event::{Event, EventId};
use kassa_domain::order::{CustomerPatch, NotesPatch, OrderEdit, PaymentPatch, RAW_MAX, Scalar, Unusable, Wanted};
use kassa_domain::set::SetId;
use kassa_domain::ticket::TicketId;
use kassa_domain::{Needs, Patch, Refusal};
use kassa_engine::Engine;
use serde_json::value::RawValue;
use utoipa::PartialSchema;
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};

use crate::error::{ApiError, Detail};
use crate::input::{
    Address, CodeText, Flag, FromJson, Input, List, Problems, SetCounts, StepInput, Text, TicketList, bad, codes,
    fields, must, object, wanted,
};
use crate::openapi::schema;
use crate::wire::{ReadTime, Ref};

/// The longest key of a vendor's own data, in characters.
const KEY_CHARS_MAX: usize = 40;

fields! {
    /// The actions of a request.
    pub(crate) struct OrderInput {
        /// Of a new order; it follows from `tickets` or `random` if it is not said.
        event: Input<Ref<Event>>,
        /// Of a new order: the deal that shall be used.
        deal: Input<Ref<Deal>>,
        /// All tickets that the order shall have.
        tickets: Input<TicketList>,
        /// In place of `tickets`: how many tickets of each set the order shall have.
        random: Input<SetCounts>,
        /// Whether nothing is taken and nothing given back unless all that is asked for can be had.
        all_or_nothing: Input<Flag>,
        /// All codes that the order shall use. Those that cannot be used are left out, and named in `errors`.
        promocodes: Input<List<CodeText>>,
        settings: Input<SettingsInput>,
        vendor_data: Input<VendorDataInput>,
        /// Until when the tickets are held: no longer than the event lets orders hold them.
        expired_after: Input<ReadTime>,
        /// Of an order that is there: the step to take.
        status: Input<StepInput>,
    }
}

impl OrderInput {
    pub(super) fn into_edit(self, problems: &mut Problems) -> OrderEdit {
        let settings = match self.settings.patch("settings", problems) {
            Patch::Set(settings) => settings,
            Patch::Clear => SettingsInput::clear(),
            Patch::Keep => SettingsInput::default(),
        };
        let data = match self.vendor_data.patch("vendor_data", problems) {
            Patch::Set(data) => data,
            Patch::Clear => VendorDataInput { order_id: Patch::Clear, raw: Patch::Clear },
            Patch::Keep => VendorDataInput::default(),
        };
        let notes = NotesPatch { subscribe_agree: settings.subscribe_agree, order_id: data.order_id, raw: data.raw };
        let has_notes = notes.subscribe_agree.is_given() || notes.order_id.is_given() || notes.raw.is_given();
        OrderEdit {
            wanted: wanted(self.tickets, self.random, problems),
            all_or_nothing: self.all_or_nothing.optional("all_or_nothing", problems).is_some_and(|flag| flag.0),
            customer: settings.customer,
            payment: settings.payment,
            notes: has_notes.then_some(notes),
            hold_till: self.expired_after.optional("expired_after", problems).map(|time| time.0),
            promocodes: codes(self.promocodes, problems),
            unusable: Unusable::LeaveOut,
            step: self.status.patch_some("status", problems).value().map(|step| step.0),
        }
    }

    /// As a new order.
    pub(super) fn into_new(mut self) -> Result<NewOrder, ApiError> {
        let mut problems = Problems::default();
        let event = std::mem::take(&mut self.event).optional("event", &mut problems).map(|id| id.0);
        let deal = std::mem::take(&mut self.deal).optional("deal", &mut problems).map(|id| id.0);
        let mut edit = self.into_edit(&mut problems);
        // It is executed; where it goes from there is for PATCH to say.
        edit.step = None;
        let wanted = match (event, edit.wanted.as_ref()) {
            (Some(event), _) => Some(Found::Event(event)),
            (None, Some(Wanted::Tickets(tickets))) => tickets.first().copied().map(Found::Ticket),
            (None, Some(Wanted::Random(sets))) => sets.first().map(|(set, _)| Found::Set(*set)),
            (None, None) => None,
        };
        if wanted.is_none() && problems.is_empty() {
            problems.add("event", "is required");
        }
        problems.finish()?;
        Ok(NewOrder { by: must(wanted)?, deal, edit })
    }
}

/// A new order.
pub(super) struct NewOrder {
    by: Found,
    /// The deal that shall be used.
    pub(super) deal: Option<DealId>,
    pub(super) edit: OrderEdit,
}

/// By what the event of a new order is found.
enum Found {
    Event(EventId),
    Ticket(TicketId),
    Set(SetId),
}

impl NewOrder {
    /// Its event: the one that it names, else that of the first ticket or set that it names.
    pub(super) async fn event(&self, engine: &Engine) -> Result<EventId, ApiError> {
        match self.by {
            Found::Event(event) => Ok(event),
            Found::Ticket(ticket) => {
                let view = engine.view(&Needs { tickets: vec![ticket], ..Needs::default() }).await?;
                Ok(view.tickets.get(ticket).ok_or(Refusal::TicketUnknown(ticket))?.event)
            }
            Found::Set(set) => {
                let view = engine.view(&Needs { sets: vec![set], ..Needs::default() }).await?;
                Ok(view.sets.get(set).ok_or(Refusal::SetUnknown(set))?.event)
            }
        }
    }
}

fields! {
    struct SettingsFields {
        /// Whether the tickets are given away. Only the organizer does that.
        invitation: Input<Flag>,
        /// Whether the tickets are mailed to the customer once the order is done.
        send_tickets: Input<Flag>,
        subscribe_agree: Input<Flag>,
        customer: Input<CustomerInput>,
    }
}

/// What was agreed with the customer.
#[derive(Default)]
pub(super) struct SettingsInput {
    payment: Option<PaymentPatch>,
    subscribe_agree: Patch<bool>,
    customer: Option<CustomerPatch>,
}

impl SettingsInput {
    fn clear() -> Self {
        let payment = PaymentPatch { invites: Patch::Clear, send_tickets: Patch::Clear, ..PaymentPatch::default() };
        Self { payment: Some(payment), subscribe_agree: Patch::Clear, customer: Some(CustomerPatch::clear()) }
    }
}

impl FromJson for SettingsInput {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        let fields: SettingsFields = object(json)?;
        let mut problems = Problems::default();
        let invites = fields.invitation.patch("invitation", &mut problems).map(|flag| flag.0);
        let send_tickets = fields.send_tickets.patch("send_tickets", &mut problems).map(|flag| flag.0);
        let pays = invites.is_given() || send_tickets.is_given();
        let customer = match fields.customer.patch("customer", &mut problems) {
            Patch::Set(customer) => Some(customer.0),
            Patch::Clear => Some(CustomerPatch::clear()),
            Patch::Keep => None,
        };
        let settings = Self {
            payment: pays.then(|| PaymentPatch { invites, send_tickets, ..PaymentPatch::default() }),
            subscribe_agree: fields.subscribe_agree.patch("subscribe_agree", &mut problems).map(|flag| flag.0),
            customer,
        };
        problems.settle(settings)
    }

    fn form() -> RefOr<Schema> {
        SettingsFields::schema()
    }
}

fields! {
    struct CustomerFields {
        /// In version 1 the last word is `last_name`, and what stands before it `first_name`.
        name: Input<Text>,
        email: Input<Address>,
        phone: Input<Text<64>>,
        lang: Input<Text<8>>,
    }
}

struct CustomerInput(CustomerPatch);

impl FromJson for CustomerInput {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        let fields: CustomerFields = object(json)?;
        let mut problems = Problems::default();
        let patch = CustomerPatch {
            email: fields.email.patch("email", &mut problems).map(|address| address.0),
            mobile: fields.phone.patch("phone", &mut problems).map(|text| text.0),
            lang: fields.lang.patch("lang", &mut problems).map(|text| text.0),
            ..CustomerPatch::named(fields.name.patch("name", &mut problems).map(|text| text.0))
        };
        problems.settle(Self(patch))
    }

    fn form() -> RefOr<Schema> {
        CustomerFields::schema()
    }
}

fields! {
    struct VendorDataFields {
        order_id: Input<Text<64>>,
        /// Up to 20 entries in all; `null` takes one away.
        raw: Input<RawInput>,
    }
}

/// What the vendor keeps with the order.
#[derive(Default)]
pub(super) struct VendorDataInput {
    order_id: Patch<String>,
    raw: Patch<Vec<(String, Option<Scalar>)>>,
}

impl FromJson for VendorDataInput {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        let fields: VendorDataFields = object(json)?;
        let mut problems = Problems::default();
        let data = Self {
            order_id: fields.order_id.patch("order_id", &mut problems).map(|text| text.0),
            raw: fields.raw.patch("raw", &mut problems).map(|raw| raw.0),
        };
        problems.settle(data)
    }

    fn form() -> RefOr<Schema> {
        VendorDataFields::schema()
    }
}

struct RawInput(Vec<(String, Option<Scalar>)>);

impl FromJson for RawInput {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        let raw: BTreeMap<String, Box<RawValue>> = object(json)?;
        if raw.len() > RAW_MAX as usize {
            return Err(bad(format!("must have at most {RAW_MAX} entries")));
        }
        let (mut entries, mut problems) = (Vec::with_capacity(raw.len()), Vec::new());
        for (key, value) in raw {
            match scalar(&key, value.get()) {
                Ok(value) => entries.push((key, value)),
                Err(problem) => problems.push(Detail { field: format!(".{key}"), problem }),
            }
        }
        if problems.is_empty() { Ok(Self(entries)) } else { Err(problems) }
    }

    fn form() -> RefOr<Schema> {
        let flag = ObjectBuilder::new().schema_type(Type::Boolean);
        let value = schema::any_of([
            schema::text().max_length(Some(Scalar::CHARS_MAX)).into(),
            schema::number().into(),
            flag.into(),
        ]);
        let key = schema::text().max_length(Some(KEY_CHARS_MAX));
        let raw = ObjectBuilder::new().schema_type(Type::Object).max_properties(Some(RAW_MAX as usize));
        raw.property_names(Some(key.build())).additional_properties(Some(schema::nullable(value))).into()
    }
}

/// A value of a vendor's own data; `None` for null.
fn scalar(key: &str, json: &str) -> Result<Option<Scalar>, String> {
    if key.chars().count() > KEY_CHARS_MAX || key.chars().any(char::is_control) {
        return Err(format!("must have a key of at most {KEY_CHARS_MAX} characters, without control characters"));
    }
    let wanted = || {
        let max = Scalar::CHARS_MAX;
        format!("must be a text of at most {max} characters, a whole number, true, false or null")
    };
    match json {
        "null" => Ok(None),
        "true" | "false" => Ok(Some(Scalar::Flag(json == "true"))),
        text if text.starts_with('"') => {
            let text = Text::<{ Scalar::CHARS_MAX }>::from_json(text).map_err(|_| wanted())?;
            Ok(Some(Scalar::Text(text.0)))
        }
        number => number.parse().map(|number| Some(Scalar::Number(number))).map_err(|_| wanted()),
    }
}
