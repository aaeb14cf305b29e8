//! What a request says to an order: the same on POST and PATCH.

use kassa_domain::Patch;
use kassa_domain::deal::Deal;
use kassa_domain::event::Event;
use kassa_domain::order::{CustomerPatch, OrderEdit, PaymentPatch, PaymentSystem, Unusable};
use utoipa::PartialSchema;
use utoipa::openapi::{RefOr, Schema};

use crate::error::Detail;
use crate::input::{
    Address, CodeText, Flag, FromJson, Input, List, Problems, SetCounts, StepInput, Text, TicketList, Web, codes,
    fields, object, requires, wanted,
};
use crate::openapi::schema;
use crate::wire::Ref;

fields! {
    /// The actions of a request.
    pub(crate) struct OrderInput {
        /// Of a new order; it never changes.
        pub(super) event: Input<Ref<Event>>,
        /// Of a new order: the deal that shall be used.
        pub(super) deal: Input<Ref<Deal>>,
        /// All tickets that the order shall have.
        tickets: Input<TicketList>,
        /// In place of `tickets`: how many tickets of each set the order shall have.
        random: Input<SetCounts>,
        /// Whether nothing is taken and nothing given back unless all that is asked for can be had.
        all_or_nothing: Input<Flag>,
        customer: Input<CustomerInput>,
        payment: Input<PaymentInput>,
        /// All codes that the order shall use.
        promocodes: Input<List<CodeText>>,
        /// Of an order that is there: the step to take.
        status: Input<StepInput>,
    }
}

requires! {
    /// A new order. One of `tickets` and `random` must be there, too.
    pub(crate) struct NewOrder: OrderInput { event }
}

impl OrderInput {
    /// Whether it says what the order shall hold.
    pub(crate) fn wants_tickets(&self) -> bool {
        let unsaid =
            matches!(self.tickets, Input::Absent | Input::Null) && matches!(self.random, Input::Absent | Input::Null);
        !unsaid
    }

    pub(crate) fn into_edit(self, problems: &mut Problems) -> OrderEdit {
        let wanted = wanted(self.tickets, self.random, problems);
        let customer = match self.customer.patch("customer", problems) {
            Patch::Set(customer) => Some(customer.0),
            Patch::Clear => Some(CustomerPatch::clear()),
            Patch::Keep => None,
        };
        let payment = match self.payment.patch("payment", problems) {
            Patch::Set(payment) => Some(payment.0),
            Patch::Clear => Some(PaymentPatch::clear()),
            Patch::Keep => None,
        };
        OrderEdit {
            wanted,
            all_or_nothing: self.all_or_nothing.optional("all_or_nothing", problems).is_some_and(|flag| flag.0),
            customer,
            payment,
            promocodes: codes(self.promocodes, problems),
            unusable: Unusable::Refuse,
            step: self.status.patch_some("status", problems).value().map(|step| step.0),
            ..OrderEdit::default()
        }
    }
}

fields! {
    struct CustomerFields {
        email: Input<Address>,
        first_name: Input<Text>,
        last_name: Input<Text>,
        mobile: Input<Text<64>>,
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
            first_name: fields.first_name.patch("first_name", &mut problems).map(|text| text.0),
            last_name: fields.last_name.patch("last_name", &mut problems).map(|text| text.0),
            mobile: fields.mobile.patch("mobile", &mut problems).map(|text| text.0),
            lang: fields.lang.patch("lang", &mut problems).map(|text| text.0),
        };
        problems.settle(Self(patch))
    }

    fn form() -> RefOr<Schema> {
        CustomerFields::schema()
    }
}

fields! {
    struct PaymentFields {
        system: Input<SystemInput>,
        success_url: Input<Web>,
        failure_url: Input<Web>,
        /// Whether the tickets are mailed to the customer once the order is done.
        send_tickets: Input<Flag>,
    }
}

struct PaymentInput(PaymentPatch);

impl FromJson for PaymentInput {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        let fields: PaymentFields = object(json)?;
        let mut problems = Problems::default();
        let patch = PaymentPatch {
            system: fields.system.patch("system", &mut problems).map(|system| system.0),
            invites: Patch::Keep,
            success_url: fields.success_url.patch("success_url", &mut problems).map(|url| url.0),
            failure_url: fields.failure_url.patch("failure_url", &mut problems).map(|url| url.0),
            send_tickets: fields.send_tickets.patch("send_tickets", &mut problems).map(|flag| flag.0),
        };
        problems.settle(Self(patch))
    }

    fn form() -> RefOr<Schema> {
        PaymentFields::schema()
    }
}

const SYSTEMS: [PaymentSystem; 2] = [PaymentSystem::ApiBase, PaymentSystem::Invitation];

struct SystemInput(PaymentSystem);

impl FromJson for SystemInput {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        // JSON writers may escape the slash.
        let name: Option<String> = serde_json::from_str(json).ok();
        let known = SYSTEMS.into_iter().find(|system| name.as_deref() == Some(system.name()));
        let problem =
            || vec![Detail { field: String::new(), problem: "must be api/BASE or system/INVITATION".to_owned() }];
        known.map(Self).ok_or_else(problem)
    }

    fn form() -> RefOr<Schema> {
        schema::words(SYSTEMS.map(PaymentSystem::name)).into()
    }
}
