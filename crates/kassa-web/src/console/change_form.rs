//! A form that changes something, unless somebody else has changed it since the form was shown: then both changes are put
//! together, and whoever sent the form looks again.

use kassa_http::http::StatusCode;
use kassa_texts::Texts;

use super::fault::Refusal;
use super::fields::Fields;
use super::visit::Conditions;
use crate::form::Form;

/// A form, from its fields as they are or were sent to what came of them.
#[derive(Debug)]
pub(super) struct ChangeForm {
    pub(super) fields: Fields,
    /// Whether somebody else has changed something meanwhile.
    pub(super) is_merged: bool,
    /// The fields as they are now, and the entity tag of that.
    now: (Fields, String),
    /// The tag of what was there when the form was shown.
    sent_tag: Option<String>,
    is_sent: bool,
}

impl ChangeForm {
    /// With the fields and the tag of what is there now, and the form, if it was sent. Other forms of its page have none of its
    /// fields, which stay as they are.
    pub(super) fn begin(now: Fields, tag: &str, sent: Option<&Form>) -> Self {
        Self {
            fields: sent.map_or_else(|| now.clone(), Fields::typed),
            is_merged: false,
            now: (now, tag.to_owned()),
            sent_tag: sent.and_then(|form| form.value("_tag")).map(str::to_owned),
            is_sent: sent.is_some(),
        }
    }

    /// On which conditions it changes something.
    pub(super) fn conditions(&self) -> Conditions<'_> {
        Conditions { key: None, tag: self.sent_tag.as_deref() }
    }

    /// The tag of what it changes when it is sent next. Whoever has to look again looks at what there is now; whoever mistyped
    /// still changes what was there then.
    pub(super) fn tag(&self) -> String {
        self.sent_tag.as_ref().filter(|_| !self.is_merged).unwrap_or(&self.now.1).clone()
    }

    /// Shows what the interface has refused; `refuse` says it beside the fields of the form.
    pub(super) fn settle(&mut self, refusal: &Refusal, texts: &Texts, refuse: impl FnOnce(&mut Fields)) {
        if refusal.status == StatusCode::PRECONDITION_FAILED {
            self.fields.merge(&self.now.0);
            self.is_merged = true;
        } else if self.is_sent {
            refuse(&mut self.fields);
        } else {
            self.fields.failure = Some(refusal.text(texts));
        }
    }

    /// The status of the page that shows it.
    pub(super) fn status(&self) -> StatusCode {
        match (self.is_merged, self.fields.has_wrong()) {
            (true, _) => StatusCode::CONFLICT,
            (false, true) => StatusCode::UNPROCESSABLE_ENTITY,
            (false, false) => StatusCode::OK,
        }
    }
}

#[cfg(test)]
mod tests {
    use kassa_texts::Language;

    use super::*;

    fn refusal(status: StatusCode) -> Refusal {
        let mut refusal = Refusal::of_page("venue_in_use");
        refusal.status = status;
        refusal
    }

    fn begun(sent: Option<&str>) -> ChangeForm {
        let now = Fields::to_change([("name", "Now".to_owned()), ("desc", "Old".to_owned())]);
        ChangeForm::begin(now, "new", sent.map(|form| Form::parse(form.as_bytes())).as_ref())
    }

    const SENT: &str = "_tag=old&name=Then&_was.name=Then&desc=Mine&_was.desc=Old";

    #[test]
    fn what_was_changed_meanwhile_is_put_together_under_the_new_tag() {
        let mut form = begun(Some(SENT));
        assert_eq!((form.conditions().tag, form.tag().as_str(), form.status()), (Some("old"), "old", StatusCode::OK));
        let texts = Texts::of(Language::En);
        form.settle(&refusal(StatusCode::PRECONDITION_FAILED), texts, |_| panic!("nothing is wrong with it"));
        assert_eq!((form.fields.value("name"), form.fields.value("desc")), ("Now", "Mine"));
        assert_eq!((form.tag().as_str(), form.status()), ("new", StatusCode::CONFLICT));
    }

    #[test]
    fn what_is_refused_stands_beside_what_was_typed() {
        let mut form = begun(Some(SENT));
        let refuse = |fields: &mut Fields| fields.set_wrong("name", "No.".to_owned());
        form.settle(&refusal(StatusCode::BAD_REQUEST), Texts::of(Language::En), refuse);
        assert_eq!((form.fields.value("name"), form.fields.wrong("name")), ("Then", "No."));
        assert_eq!((form.tag().as_str(), form.status()), ("old", StatusCode::UNPROCESSABLE_ENTITY));
    }

    #[test]
    fn what_another_form_is_refused_leaves_the_fields_as_they_are() {
        let mut form = begun(None);
        form.settle(&refusal(StatusCode::BAD_REQUEST), Texts::of(Language::En), |_| panic!("it is not of this form"));
        assert_eq!((form.fields.value("name"), form.tag().as_str()), ("Now", "new"));
        assert_eq!((form.fields.failure.is_some(), form.status()), (true, StatusCode::UNPROCESSABLE_ENTITY));
    }
}
