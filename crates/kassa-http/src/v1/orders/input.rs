//! What a request says to an order: the same on POST and PATCH.

use kassa_domain::Patch;
use kassa_domain::deal::Deal;
use kassa_domain::event::Event;
use kassa_domain::order::{CustomerPatch, OrderEdit, PaymentPatch, UnusablePromocodePolicy};
use utoipa::PartialSchema;
use utoipa::openapi::{RefOr, Schema};

use super::statuses::PaymentSystemInput;
use crate::error::ErrorDetail;
use crate::input::{
    EmailText, Flag, FromJson, Input, LineText, List, Problems, PromocodeCodeInput, WebUrl, fields, parse_object,
    requires,
};
use crate::wire::{IdRef, OrderStatusInput, SetCounts, TicketList, object_patch, promocode_codes, ticket_selection};

fields! {
    /// The actions of a request.
    pub(crate) struct OrderInput {
        /// The event: required in a new order, and never changed.
        pub(super) event: Input<IdRef<Event>>,
        /// For a new order of an agent: the deal to sell under; its newest accepted one by default.
        pub(super) deal: Input<IdRef<Deal>>,
        /// All tickets that the order is to hold, by id. Tickets that it holds and that are not named go back on sale.
        tickets: Input<TicketList>,
        /// In place of `tickets`: how many tickets of each set it is to hold, from the id of the set to the number,
        /// including those that it holds.
        random: Input<SetCounts>,
        /// Whether to change no tickets at all unless everything asked for is available; `false` by default.
        all_or_nothing: Input<Flag>,
        /// Who buys. `null` clears all of it.
        customer: Input<CustomerInput>,
        /// How it is paid. `null` clears all of it.
        payment: Input<PaymentInput>,
        /// All codes that the order is to use; `[]` or `null` for none.
        promocodes: Input<List<PromocodeCodeInput>>,
        /// For an existing order: `in_progress` begins payment, `done` reports it paid, `canceled` (also `cancelled`)
        /// cancels it.
        status: Input<OrderStatusInput>,
    }
}

requires! {
    /// A new order. One of `tickets` and `random` must be there, too.
    pub(crate) struct NewOrder: OrderInput { event }
}

impl OrderInput {
    /// Whether it says what the order shall hold.
    pub(crate) fn has_ticket_selection(&self) -> bool {
        let unsaid =
            matches!(self.tickets, Input::Absent | Input::Null) && matches!(self.random, Input::Absent | Input::Null);
        !unsaid
    }

    pub(crate) fn into_edit(self, problems: &mut Problems) -> OrderEdit {
        let selection = ticket_selection(self.tickets, self.random, problems);
        let customer =
            object_patch(self.customer.patch("customer", problems), |customer| customer.0, CustomerPatch::clear);
        let payment = object_patch(self.payment.patch("payment", problems), |payment| payment.0, PaymentPatch::clear);
        OrderEdit {
            selection,
            all_or_nothing: self.all_or_nothing.optional("all_or_nothing", problems).is_some_and(|flag| flag.0),
            customer,
            payment,
            promocodes: promocode_codes(self.promocodes, problems),
            on_unusable_promocode: UnusablePromocodePolicy::Refuse,
            transition: self.status.patch_non_null("status", problems).value().map(|step| step.0),
            ..OrderEdit::default()
        }
    }
}

fields! {
    struct CustomerFields {
        /// The e-mail address: required before the order can be paid.
        email: Input<EmailText>,
        /// The first name; up to 255 characters.
        first_name: Input<LineText>,
        /// The last name; up to 255 characters.
        last_name: Input<LineText>,
        /// The phone number, in any form; up to 64 characters.
        mobile: Input<LineText<64>>,
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
            first_name: fields.first_name.patch("first_name", &mut problems).map(|text| text.0),
            last_name: fields.last_name.patch("last_name", &mut problems).map(|text| text.0),
            mobile: fields.mobile.patch("mobile", &mut problems).map(|text| text.0),
            lang: fields.lang.patch("lang", &mut problems).map(|text| text.0),
        };
        problems.into_result(Self(patch))
    }

    fn json_schema() -> RefOr<Schema> {
        CustomerFields::schema()
    }
}

fields! {
    struct PaymentFields {
        /// `api/BASE`: the vendor takes the money. `system/INVITATION`: the tickets are free, which only the organizer
        /// can say.
        system: Input<PaymentSystemInput>,
        /// Where the customer goes after paying: an http or https address.
        success_url: Input<WebUrl>,
        /// Where the customer goes if the payment fails: an http or https address.
        failure_url: Input<WebUrl>,
        /// Whether to mail the tickets to the customer once the order is paid; `false` by default.
        send_tickets: Input<Flag>,
    }
}

struct PaymentInput(PaymentPatch);

impl FromJson for PaymentInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let fields: PaymentFields = parse_object(json)?;
        let mut problems = Problems::default();
        let patch = PaymentPatch {
            system: fields.system.patch("system", &mut problems).map(|system| system.0),
            invitation: Patch::Keep,
            success_url: fields.success_url.patch("success_url", &mut problems).map(|url| url.0),
            failure_url: fields.failure_url.patch("failure_url", &mut problems).map(|url| url.0),
            send_tickets: fields.send_tickets.patch("send_tickets", &mut problems).map(|flag| flag.0),
        };
        problems.into_result(Self(patch))
    }

    fn json_schema() -> RefOr<Schema> {
        PaymentFields::schema()
    }
}
