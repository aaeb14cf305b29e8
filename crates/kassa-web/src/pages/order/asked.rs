//! What the page of an order asks of whoever buys, as its organizer and its seller say.

use jiff::Timestamp;
use kassa_texts::Texts;

use super::model::{AnswerData, OrderData, OrderRefs, OrderTicket};
use crate::form::Form;
use crate::model::{EventData, PartnerData, QuestionData, TermsData};
use crate::views::moment;

/// What the page of an order asks.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) name: FieldRule,
    pub(crate) phone: FieldRule,
    /// Questions for the whole order.
    pub(crate) questions: Vec<QuestionView>,
    /// What is asked for each ticket; none where nothing is.
    pub(crate) tickets: Vec<TicketView>,
    /// The seller's terms, and whether they were accepted as they are.
    pub(crate) terms: Option<(TermsData, bool)>,
    /// Until when names on tickets can be changed, while they can.
    pub(crate) names_until: Option<String>,
}

/// Whether a field is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldRule {
    Required,
    Optional,
    Hidden,
}

/// A question, with the answer that it has.
#[derive(Debug)]
pub(crate) struct QuestionView {
    /// The name of its field.
    pub(crate) field: String,
    pub(crate) text: String,
    /// `text`, `choice` or `yes_no`.
    pub(crate) kind: String,
    pub(crate) options: Vec<String>,
    pub(crate) required: bool,
    /// What was answered; empty if nothing was.
    pub(crate) value: String,
}

/// What is asked for a ticket.
#[derive(Debug)]
pub(crate) struct TicketView {
    /// Which it is, in words.
    pub(crate) label: String,
    /// The name of the field of the name on it, and what stands there.
    pub(crate) holder: Option<(String, String)>,
    pub(crate) questions: Vec<QuestionView>,
}

impl FieldRule {
    fn of(rule: &str) -> Self {
        match rule {
            "required" => Self::Required,
            "hidden" => Self::Hidden,
            _ => Self::Optional,
        }
    }

    pub(crate) fn is_shown(self) -> bool {
        self != Self::Hidden
    }

    pub(crate) fn is_required(self) -> bool {
        self == Self::Required
    }
}

impl Asked {
    /// The same, with what was typed.
    pub(super) fn with_typed(mut self, form: &Form) -> Self {
        let of_tickets = self.tickets.iter_mut().flat_map(|ticket| ticket.questions.iter_mut());
        let questions = self.questions.iter_mut().chain(of_tickets).map(|asked| (&asked.field, &mut asked.value));
        for (field, value) in questions {
            if let Some(typed) = form.value(field) {
                typed.clone_into(value);
            }
        }
        for (field, value) in self.tickets.iter_mut().filter_map(|ticket| ticket.holder.as_mut()) {
            if let Some(typed) = form.value(field) {
                typed.clone_into(value);
            }
        }
        self
    }

    pub(crate) fn new(
        data: &OrderData,
        refs: &OrderRefs,
        event: &EventData,
        vendor: &PartnerData,
        (texts, now): (&Texts, Timestamp),
    ) -> Self {
        let until = event.name_change_until.as_deref().and_then(|until| until.parse::<Timestamp>().ok());
        let until = until.filter(|until| now < *until);
        let (of_tickets, of_order): (Vec<_>, Vec<_>) = event.questions.iter().partition(|asked| asked.per == "ticket");
        let accepted = data.settings.accepted_terms.as_ref();
        let is_accepted = |terms: &TermsData| accepted.is_some_and(|it| is_same_second(&it.terms, &terms.since));
        let ticket = |(at, ticket): (usize, &OrderTicket)| TicketView {
            label: label(at, ticket, refs, texts),
            holder: until.map(|_| (format!("holders.{}", ticket.id), ticket.holder.clone().unwrap_or_default())),
            questions: of_tickets
                .iter()
                .map(|asked| {
                    let field = format!("ticket_answers.{}.{}", ticket.id, asked.id);
                    QuestionView::new(asked, field, ticket.answers.get(&asked.id))
                })
                .collect(),
        };
        let has_tickets = until.is_some() || !of_tickets.is_empty();
        Self {
            name: FieldRule::of(&event.buyer_name),
            phone: FieldRule::of(&event.buyer_phone),
            questions: of_order
                .iter()
                .map(|asked| QuestionView::new(asked, format!("answers.{}", asked.id), data.answers.get(&asked.id)))
                .collect(),
            tickets: if has_tickets { data.tickets.iter().enumerate().map(ticket).collect() } else { Vec::new() },
            terms: vendor.shop.terms.clone().map(|terms| {
                let is_accepted = is_accepted(&terms);
                (terms, is_accepted)
            }),
            names_until: until.map(|until| moment(texts.language(), until, &event.zone())),
        }
    }
}

impl QuestionView {
    fn new(asked: &QuestionData, field: String, answer: Option<&AnswerData>) -> Self {
        Self {
            field,
            text: asked.text.clone(),
            kind: asked.kind.clone(),
            options: asked.options.clone(),
            required: asked.required,
            value: match answer {
                Some(AnswerData::Flag(is_so)) => is_so.to_string(),
                Some(AnswerData::Text(text)) => text.clone(),
                None => String::new(),
            },
        }
    }
}

/// Whether two times of the interface, in whichever form, are of one second.
fn is_same_second(one: &str, other: &str) -> bool {
    let second = |time: &str| time.get(..19).map(|time| time.replace('T', " "));
    second(one).is_some() && second(one) == second(other)
}

/// Which ticket it is: its number in the order, its set and its seat.
fn label(at: usize, ticket: &OrderTicket, refs: &OrderRefs, texts: &Texts) -> String {
    let name = refs.sets.get(&ticket.set).map(|set| set.name.clone()).unwrap_or_default();
    let seat = ticket
        .seat
        .as_ref()
        .map(|seat| format!(", {} {}, {} {}", texts.text("row"), seat.row, texts.text("seat"), seat.number));
    format!("{}. {name}{}", at + 1, seat.unwrap_or_default())
}
