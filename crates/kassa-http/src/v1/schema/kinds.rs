//! What resources consist of. A kind of resource is one entry here and one loader in
//! [`super::load`]; a route that shows it is one line of [`super::routes`].

use std::future::Future;
use std::pin::Pin;

use kassa_domain::Actor;
use kassa_engine::Engine;
use serde_json::Value;

use super::load;
use crate::base::Base;
use crate::error::ApiError;

/// A kind of resource.
pub(super) struct Kind {
    /// Its name, which no other kind has.
    pub(super) name: &'static str,
    /// What its answers show, with what only some of them show.
    pub(super) fields: Fields,
    /// Loads what others refer to.
    pub(super) load: Load,
}

/// Fields by name.
pub(super) type Fields = &'static [(&'static str, Field)];

/// What a field holds: one of it, a list of it, or null.
pub(super) enum Field {
    /// A text, a number, true or false: there is nothing to choose in it.
    Plain,
    /// An object whose keys are free.
    Free,
    /// An object with these keys.
    Object(Fields),
    /// A resource that stands there whole.
    Whole(&'static Kind),
    /// The id of a resource.
    Ref(&'static Kind),
}

use Field::{Free, Object, Plain, Ref, Whole};

/// The field of this name.
pub(super) fn field(fields: Fields, name: &str) -> Option<&'static Field> {
    fields.iter().find(|(known, _)| *known == name).map(|(_, field)| field)
}

/// Who reads, from where, and how urls start.
#[derive(Clone)]
pub(super) struct Reader {
    pub(super) engine: Engine,
    pub(super) actor: Actor,
    pub(super) base: Base,
}

/// Resources by id, each as the reader would get it by that id. What it may not see is missing.
pub(super) type Loaded = Result<Vec<(String, Value)>, ApiError>;
/// Loads resources by their ids, all at once.
pub(super) type Load = fn(Reader, Vec<String>) -> Pin<Box<dyn Future<Output = Loaded> + Send>>;

pub(super) static USER: Kind = Kind {
    name: "user",
    fields: &[
        ("id", Plain),
        ("email", Plain),
        ("first_name", Plain),
        ("last_name", Plain),
        ("partners", Ref(&PARTNER)),
        ("tags", Plain),
        ("created_at", Plain),
        ("updated_at", Plain),
        (
            "crm",
            Object(&[
                ("values", Object(&[("avg", Plain), ("sum", Plain)])),
                ("counters", Object(&[("orders", Plain), ("tickets", Plain)])),
            ]),
        ),
    ],
    load: |reader, ids| Box::pin(load::users(reader, ids)),
};

pub(super) const CONTACT: Fields =
    &[("address", Plain), ("email", Plain), ("name", Plain), ("phones", Plain), ("www", Plain)];

const POLICY: Fields = &[("kept_percent", Plain), ("days_before", Plain), ("after_start", Plain)];

pub(super) const POINT: Fields = &[("type", Plain), ("coordinates", Plain)];

/// A picture of an event or a partner. These are no constants: they and partners refer to each other.
static PICTURE: [(&str, Field); 6] = [
    ("id", Plain),
    ("author", Ref(&PARTNER)),
    ("content_type", Plain),
    ("length", Plain),
    ("md5hash", Plain),
    ("url", Plain),
];

pub(super) static COVER: [(&str, Field); 3] =
    [("cover", Object(&PICTURE)), ("cover_small", Object(&PICTURE)), ("cover_original", Object(&PICTURE))];

pub(super) static LOGO: [(&str, Field); 3] =
    [("logo", Object(&PICTURE)), ("logo_small", Object(&PICTURE)), ("logo_original", Object(&PICTURE))];

pub(super) static PARTNER: Kind = Kind {
    name: "partner",
    fields: &[
        ("id", Plain),
        ("name", Plain),
        ("desc", Plain),
        ("director", Plain),
        ("channels", Plain),
        ("contact", Object(CONTACT)),
        ("legal", Free),
        ("media", Object(&LOGO)),
        ("roles", Plain),
        ("tags", Plain),
        ("standard_term", Object(&[("org", Plain), ("extra", Plain), ("pfc", Plain)])),
        ("refund_policy", Object(POLICY)),
        ("removed", Plain),
        ("user", Whole(&USER)),
        ("users", Ref(&USER)),
        ("created_at", Plain),
        ("updated_at", Plain),
    ],
    load: |reader, ids| Box::pin(load::partners(reader, ids)),
};

pub(super) static API_KEY: Kind = Kind {
    name: "api_key",
    fields: &[
        ("id", Plain),
        ("key", Plain),
        ("name", Plain),
        ("partner", Ref(&PARTNER)),
        ("created_at", Plain),
        ("removed", Plain),
    ],
    // Nothing refers to a key.
    load: |_, _| Box::pin(std::future::ready(Ok(Vec::new()))),
};

pub(super) static ATTACHMENT: Kind = Kind {
    name: "attachment",
    fields: &[
        ("id", Plain),
        ("author", Ref(&PARTNER)),
        ("content_type", Plain),
        ("length", Plain),
        ("md5", Plain),
        ("url", Plain),
        ("removed", Plain),
        ("created_at", Plain),
        ("updated_at", Plain),
    ],
    load: |reader, ids| Box::pin(load::attachments(reader, ids)),
};

pub(super) static EVENT: Kind = Kind {
    name: "event",
    fields: &[
        ("id", Plain),
        ("org", Ref(&PARTNER)),
        ("title", Object(&[("text", Plain), ("desc", Plain)])),
        ("lifetime", Plain),
        ("status", Plain),
        ("tags", Plain),
        ("venue", Ref(&VENUE)),
        ("map", Ref(&MAP)),
        ("media", Object(&COVER)),
        ("age_rating", Plain),
        ("tickets_limit", Plain),
        ("hold_minutes", Plain),
        ("refund_policy", Object(POLICY)),
        ("removed", Plain),
        ("sets", Whole(&SET)),
        ("created_at", Plain),
        ("updated_at", Plain),
    ],
    load: |reader, ids| Box::pin(load::events(reader, ids)),
};

pub(super) static DEAL: Kind = Kind {
    name: "deal",
    fields: &[
        ("id", Plain),
        ("event", Ref(&EVENT)),
        ("subj", Ref(&PARTNER)),
        ("obj", Ref(&PARTNER)),
        ("reversed_deal", Plain),
        ("status", Plain),
        ("message", Plain),
        ("term", Object(&[("org", Plain), ("extra", Plain), ("core", Plain), ("pfc", Plain)])),
        ("title", Object(&[("text", Plain), ("desc", Plain)])),
        ("created_at", Plain),
        ("updated_at", Plain),
    ],
    load: |reader, ids| Box::pin(load::deals(reader, ids)),
};

pub(super) static VENUE: Kind = Kind {
    name: "venue",
    fields: &[
        ("id", Plain),
        ("org", Ref(&PARTNER)),
        ("name", Plain),
        ("description", Plain),
        ("desc", Plain),
        ("address", Plain),
        ("city", Ref(&CITY)),
        ("country", Ref(&COUNTRY)),
        ("point", Object(POINT)),
        ("removed", Plain),
        ("created_at", Plain),
        ("updated_at", Plain),
    ],
    load: |reader, ids| Box::pin(load::venues(reader, ids)),
};

pub(super) static MAP: Kind = Kind {
    name: "map",
    fields: &[
        ("id", Plain),
        ("venue", Ref(&VENUE)),
        ("name", Plain),
        ("desc", Plain),
        ("sectors", Object(SECTOR)),
        ("created_at", Plain),
        ("updated_at", Plain),
    ],
    load: |reader, ids| Box::pin(load::maps(reader, ids)),
};

const SECTOR: Fields =
    &[("id", Plain), ("name", Plain), ("desc", Plain), ("with_seats", Plain), ("rows", Object(SEAT_ROW))];

const SEAT_ROW: Fields = &[
    ("row", Plain),
    ("from", Plain),
    ("to", Plain),
    ("x", Plain),
    ("y", Plain),
    ("dx", Plain),
    ("dy", Plain),
    ("rank", Plain),
];

pub(super) static CITY: Kind = Kind {
    name: "city",
    fields: &[
        ("id", Plain),
        ("name", Free),
        ("country", Ref(&COUNTRY)),
        ("timezone", Plain),
        ("population", Plain),
        ("type", Plain),
    ],
    load: |_, ids| Box::pin(std::future::ready(load::cities(&ids))),
};

pub(super) static COUNTRY: Kind = Kind {
    name: "country",
    fields: &[("id", Plain), ("name", Free), ("type", Plain)],
    load: |_, ids| Box::pin(std::future::ready(load::countries(&ids))),
};

pub(super) const RULE: Fields = &[
    ("id", Plain),
    ("cal", Plain),
    ("current", Plain),
    ("price", Plain),
    ("price_org", Plain),
    ("price_extra", Plain),
];

pub(super) static SET: Kind = Kind {
    name: "set",
    fields: &[
        ("id", Plain),
        ("event", Ref(&EVENT)),
        ("name", Plain),
        ("desc", Plain),
        ("description", Plain),
        ("amount", Plain),
        ("amount_vacant", Plain),
        ("current_price", Plain),
        ("current_rule", Object(RULE)),
        ("rules", Object(RULE)),
        ("rule", Object(RULE)),
        ("price", Plain),
        ("price_org", Plain),
        ("price_extra", Plain),
        ("pos", Plain),
        ("sector", Plain),
        ("with_seats", Plain),
        ("seats", Free),
        ("removed", Plain),
        ("created_at", Plain),
        ("updated_at", Plain),
    ],
    load: |reader, ids| Box::pin(load::sets(reader, ids)),
};

pub(super) static TICKET: Kind = Kind {
    name: "ticket",
    fields: &[
        ("id", Plain),
        ("number", Plain),
        ("serial", Plain),
        ("barcode", Plain),
        ("seat", Object(&[("map", Plain), ("sector", Plain), ("row", Plain), ("number", Plain)])),
        ("set", Ref(&SET)),
        ("status", Plain),
        ("reserved_till", Plain),
        ("removed", Plain),
        ("created_at", Plain),
        ("updated_at", Plain),
    ],
    load: |reader, ids| Box::pin(load::tickets(reader, ids)),
};

pub(super) static PROMOCODE: Kind = Kind {
    name: "promocode",
    fields: &[
        ("id", Plain),
        ("event", Ref(&EVENT)),
        ("sets", Ref(&SET)),
        ("name", Plain),
        ("desc", Plain),
        ("code", Plain),
        ("discount", Object(&[("percengate", Plain), ("fixed", Plain)])),
        ("amount", Plain),
        ("lifetime", Plain),
        ("tickets_count", Object(&[("min", Plain), ("max", Plain)])),
        ("counter", Object(&[("reserved", Plain), ("used", Plain)])),
        ("created_at", Plain),
        ("updated_at", Plain),
    ],
    load: |reader, ids| Box::pin(load::promocodes(reader, ids)),
};

pub(super) static PROMOTION: Kind = Kind {
    name: "promotion",
    fields: &[
        ("id", Plain),
        ("event", Ref(&EVENT)),
        ("lifetime", Object(&[("start", Plain), ("finish", Plain)])),
        ("sets", Ref(&SET)),
        ("by", Plain),
        ("kind", Plain),
        ("levels", Object(&[("from", Plain), ("value", Plain)])),
        ("removed", Plain),
        ("created_at", Plain),
        ("updated_at", Plain),
    ],
    load: |reader, ids| Box::pin(load::promotions(reader, ids)),
};

pub(super) static ORDER: Kind = Kind {
    name: "order",
    fields: &[
        ("id", Plain),
        ("event", Ref(&EVENT)),
        ("org", Ref(&PARTNER)),
        ("vendor", Ref(&PARTNER)),
        ("deal", Ref(&DEAL)),
        ("number", Plain),
        ("status", Plain),
        ("tickets", Ref(&TICKET)),
        (
            "customer",
            Object(&[
                ("email", Plain),
                ("first_name", Plain),
                ("last_name", Plain),
                ("mobile", Plain),
                ("lang", Plain),
                ("user", Ref(&USER)),
            ]),
        ),
        (
            "payment",
            Object(&[("system", Plain), ("success_url", Plain), ("failure_url", Plain), ("send_tickets", Plain)]),
        ),
        ("promocodes", Ref(&PROMOCODE)),
        ("promotions", Ref(&PROMOTION)),
        ("rules", Free),
        ("reserved_till", Plain),
        ("value", Plain),
        ("value_extra", Plain),
        (
            "values",
            Object(&[
                ("full", Plain),
                ("nominal", Plain),
                ("extra", Plain),
                ("discount", Plain),
                ("sets", Object(&[("id", Plain), ("d", Plain), ("p", Plain), ("ps", Plain), ("promotion", Plain)])),
            ]),
        ),
        ("refund_policy", Object(POLICY)),
        ("refunded", Plain),
        ("created_at", Plain),
        ("updated_at", Plain),
        (
            "details",
            Object(&[
                ("ticket", Plain),
                ("reason", Plain),
                ("reserved_till", Plain),
                ("set", Plain),
                ("wanted", Plain),
                ("got", Plain),
            ]),
        ),
    ],
    load: |reader, ids| Box::pin(load::orders(reader, ids)),
};

const REFUND_VALUES: Fields =
    &[("paid", Plain), ("nominal", Plain), ("extra", Plain), ("org", Plain), ("agent", Plain), ("core", Plain)];

pub(super) static REFUND_REQUEST: Kind = Kind {
    name: "refund_request",
    fields: &[
        ("id", Plain),
        ("order", Ref(&ORDER)),
        ("event", Ref(&EVENT)),
        ("org", Ref(&PARTNER)),
        ("vendor", Ref(&PARTNER)),
        ("culprit", Plain),
        ("status", Plain),
        ("tickets", Ref(&TICKET)),
        ("tickets_refund", Ref(&TICKET)),
        ("value", Plain),
        ("values", Object(REFUND_VALUES)),
        (
            "lines",
            Object(&[
                ("ticket", Ref(&TICKET)),
                ("set", Ref(&SET)),
                ("value", Plain),
                ("values", Object(REFUND_VALUES)),
            ]),
        ),
        ("policy", Object(POLICY)),
        ("payment_system", Plain),
        ("reason", Plain),
        ("requested_at", Plain),
        ("finished_at", Plain),
        ("created_at", Plain),
        ("updated_at", Plain),
    ],
    // Nothing refers to a refund request.
    load: |_, _| Box::pin(std::future::ready(Ok(Vec::new()))),
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::routes::ROUTES;
    use super::*;

    /// Every kind that can be reached, and every list of fields.
    fn visit(fields: Fields, kinds: &mut Vec<&'static Kind>) {
        let names: BTreeSet<&str> = fields.iter().map(|(name, _)| *name).collect();
        assert_eq!(names.len(), fields.len(), "each name comes once: {names:?}");
        for (_, field) in fields {
            match field {
                Object(fields) => visit(fields, kinds),
                Whole(kind) | Ref(kind) if kinds.iter().all(|known| !std::ptr::eq(*known, *kind)) => {
                    kinds.push(kind);
                    visit(kind.fields, kinds);
                }
                Plain | Free | Whole(_) | Ref(_) => {}
            }
        }
    }

    #[test]
    fn kinds_and_fields_have_names_of_their_own() {
        let mut kinds: Vec<&Kind> = Vec::new();
        for (_, kind) in ROUTES {
            if kinds.iter().all(|known| !std::ptr::eq(*known, *kind)) {
                kinds.push(kind);
            }
            visit(kind.fields, &mut kinds);
        }
        let names: BTreeSet<&str> = kinds.iter().map(|kind| kind.name).collect();
        assert_eq!(names.len(), kinds.len());
    }
}
