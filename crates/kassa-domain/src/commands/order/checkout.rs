//! What whoever buys says for its organizer: answers, the names on tickets, and that it accepts the seller's terms.

use super::CustomerPatch;
use crate::context::Context;
use crate::model::event::Event;
use crate::model::order::{Answer, Holder, Order, OrderNotes, OrderStatusKind, TermsAcceptance};
use crate::model::shop::Shop;
use crate::refusal::{CheckoutRefusal, FieldProblem, Refusal};
use crate::values::checkout::{AnswerValue, BuyerField, ORDER_ANSWER_CHARS_MAX, Question, QuestionScope};
use crate::values::patch::Patch;
use crate::values::resource_ids::TicketId;
use crate::values::time::Timestamp;

/// What is said of something that is missing.
const IS_REQUIRED: &str = "is required";

/// An answer, and to what: `None` takes one away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerPatch {
    /// For which ticket, where the question is asked for each.
    pub ticket: Option<TicketId>,
    /// The id of the question.
    pub question: String,
    /// The answer.
    pub value: Option<AnswerValue>,
}

/// What whoever buys says for its organizer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckoutPatch {
    /// Answers to questions.
    pub answers: Vec<AnswerPatch>,
    /// The names on tickets; `None` takes one away.
    pub holders: Vec<(TicketId, Option<String>)>,
    /// Since when the terms hold that are accepted.
    pub accepted_terms: Patch<Timestamp>,
}

impl CheckoutPatch {
    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether it is about more than names on tickets, which may change when all else is fixed.
    pub(super) fn is_of_checkout(&self) -> bool {
        !self.answers.is_empty() || self.accepted_terms.is_given()
    }
}

/// The path of an answer in a request.
fn answer_field(ticket: Option<TicketId>, question: &str) -> String {
    match ticket {
        Some(ticket) => format!("$.ticket_answers.{ticket}.{question}"),
        None => format!("$.answers.{question}"),
    }
}

impl OrderNotes {
    /// Keeps what is said, whatever it is.
    fn keep_checkout(&mut self, patch: &CheckoutPatch, now: Timestamp) {
        for AnswerPatch { ticket, question, value } in &patch.answers {
            self.answers.retain(|answer| (answer.ticket, &answer.question) != (*ticket, question));
            let answer =
                |value: &AnswerValue| Answer { ticket: *ticket, question: question.clone(), value: value.clone() };
            self.answers.extend(value.as_ref().map(answer));
        }
        self.answers.sort_by(|one, other| (one.ticket, &one.question).cmp(&(other.ticket, &other.question)));
        for (ticket, name) in &patch.holders {
            self.holders.retain(|holder| holder.ticket != *ticket);
            self.holders.extend(name.as_ref().map(|name| Holder { ticket: *ticket, name: name.trim().to_owned() }));
        }
        self.holders.sort_by_key(|holder| holder.ticket);
        match patch.accepted_terms {
            Patch::Keep => {}
            Patch::Clear => self.accepted_terms = None,
            Patch::Set(terms) if self.accepted_terms.is_some_and(|accepted| accepted.is_of(terms)) => {}
            Patch::Set(terms) => self.accepted_terms = Some(TermsAcceptance { terms, at: now }),
        }
    }

    /// The answer to a question, for a ticket where it is asked for each.
    fn answer_to(&self, question: &str, ticket: Option<TicketId>) -> Option<&AnswerValue> {
        let found = self.answers.iter().find(|answer| answer.question == question && answer.ticket == ticket);
        found.map(|answer| &answer.value)
    }
}

impl Order {
    /// Whether it leaves the order as it is.
    pub(super) fn is_unchanged_by_checkout(&self, patch: &CheckoutPatch) -> bool {
        let mut after = self.notes.clone();
        after.keep_checkout(patch, self.created_at);
        after == self.notes
    }

    /// Keeps answers, names and the acceptance of terms. Names change until the event says, all else until the order is
    /// paid.
    pub(super) fn apply_checkout(
        &mut self,
        patch: &CheckoutPatch,
        event: &Event,
        cx: &Context<'_>,
    ) -> Result<(), Refusal> {
        if patch.is_of_checkout() {
            self.check_tickets_changeable()?;
        }
        if !patch.holders.is_empty() {
            self.check_names_changeable(event, cx)?;
        }
        let tickets = patch.holders.iter().map(|(ticket, _)| *ticket);
        for ticket in tickets.chain(patch.answers.iter().filter_map(|answer| answer.ticket)) {
            if !self.lines.iter().any(|line| line.ticket == ticket) {
                return Err(Refusal::TicketNotInOrder(ticket));
            }
        }
        let problems: Vec<FieldProblem> =
            patch.answers.iter().filter_map(|answer| problem_with(answer, &event.details.questions)).collect();
        if !problems.is_empty() {
            return Err(CheckoutRefusal::Unfit(problems).into());
        }
        self.notes.keep_checkout(patch, cx.now);
        let chars: usize = self.notes.answers.iter().map(|answer| answer.value.chars()).sum();
        if chars > ORDER_ANSWER_CHARS_MAX {
            let max = u32::try_from(ORDER_ANSWER_CHARS_MAX).unwrap_or(u32::MAX);
            return Err(Refusal::TooMany { what: "characters in the answers of one order", max });
        }
        Ok(())
    }

    /// Whoever buys changes names until the event says; its vendor and the organizer as long as there are tickets.
    fn check_names_changeable(&self, event: &Event, cx: &Context<'_>) -> Result<(), Refusal> {
        let state = self.state();
        if state != OrderStatusKind::Paid {
            return self.check_tickets_changeable();
        }
        let is_open = event.details.name_change_until.is_some_and(|until| cx.now < until);
        if cx.actor.is_shopper() && !is_open { Err(CheckoutRefusal::NameChangeOver.into()) } else { Ok(()) }
    }

    /// Refuses what somebody says who buys for itself and is not asked for it.
    pub(super) fn check_asked_for(customer: &CustomerPatch, event: &Event, cx: &Context<'_>) -> Result<(), Refusal> {
        let is_set = |patch: &Patch<String>| matches!(patch, Patch::Set(_));
        let about = &event.details;
        let given = [
            (about.buyer_name, is_set(&customer.first_name) || is_set(&customer.last_name), "$.settings.customer.name"),
            (about.buyer_phone, is_set(&customer.mobile), "$.settings.customer.phone"),
        ];
        let unwanted = given.into_iter().filter(|(rule, is_given, _)| *rule == BuyerField::Hidden && *is_given);
        let problems: Vec<_> = unwanted.map(|(_, _, field)| FieldProblem::new(field, "is not asked for")).collect();
        if problems.is_empty() || !cx.actor.is_shopper() {
            Ok(())
        } else {
            Err(CheckoutRefusal::Unfit(problems).into())
        }
    }

    /// Refuses the payment of whoever buys for itself while something is missing that its organizer or its seller wants:
    /// name, telephone, answers, and the acceptance of the terms as they are now.
    pub(crate) fn check_checkout(&self, event: &Event, shop: &Shop) -> Result<(), Refusal> {
        let about = &event.details;
        let fields = [
            (about.buyer_name, self.customer.full_name().is_none(), "$.settings.customer.name"),
            (about.buyer_phone, self.customer.mobile.is_none(), "$.settings.customer.phone"),
        ];
        let empty = fields.into_iter().filter(|(rule, is_empty, _)| *rule == BuyerField::Required && *is_empty);
        let mut missing: Vec<_> = empty.map(|(_, _, field)| FieldProblem::new(field, IS_REQUIRED)).collect();
        for question in about.questions.iter().filter(|question| question.is_required) {
            let places: Vec<Option<TicketId>> = match question.scope {
                QuestionScope::Order => vec![None],
                QuestionScope::Ticket => self.lines.iter().map(|line| Some(line.ticket)).collect(),
            };
            let is_open = |ticket: &Option<TicketId>| {
                self.notes.answer_to(&question.id, *ticket).is_none_or(|answer| question.problem_with(answer).is_some())
            };
            let open = places.into_iter().filter(is_open);
            missing.extend(open.map(|ticket| FieldProblem::new(answer_field(ticket, &question.id), IS_REQUIRED)));
        }
        let accepted = self.notes.accepted_terms;
        if let Some(terms) = shop.terms.as_ref().filter(|terms| !accepted.is_some_and(|it| it.is_of(terms.since))) {
            let problem = if accepted.is_some_and(|accepted| accepted.terms < terms.since) {
                "must name the terms as they are now: they have changed"
            } else {
                IS_REQUIRED
            };
            missing.push(FieldProblem::new("$.settings.accepted_terms", problem));
        }
        if missing.is_empty() { Ok(()) } else { Err(CheckoutRefusal::Incomplete(missing).into()) }
    }
}

/// What is wrong with an answer.
fn problem_with(answer: &AnswerPatch, questions: &[Question]) -> Option<FieldProblem> {
    let scope = if answer.ticket.is_some() { QuestionScope::Ticket } else { QuestionScope::Order };
    // One that the event asks no more can still be taken away.
    let value = answer.value.as_ref()?;
    let question = questions.iter().find(|question| question.id == answer.question && question.scope == scope);
    let problem = match question {
        Some(question) => question.problem_with(value)?,
        None => "answers no question of the event",
    };
    Some(FieldProblem::new(answer_field(answer.ticket, &answer.question), problem))
}
