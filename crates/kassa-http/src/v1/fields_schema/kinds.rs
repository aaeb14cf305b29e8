//! What resources consist of. A kind of resource is one entry here and one loader in
//! [`super::loaders`]; a route that shows it is one line of [`super::route_kinds`].

use std::future::Future;
use std::pin::Pin;

use kassa_domain::Actor;
use kassa_engine::Engine;
use serde_json::Value;

use super::loaders;
use crate::base_url::BaseUrl;
use crate::error::ApiError;

/// A kind of resource.
pub(super) struct ResourceKind {
    /// Its name, which no other kind has.
    pub(super) name: &'static str,
    /// What its answers show, with what only some of them show.
    pub(super) fields: FieldTable,
    /// Loads what others refer to.
    pub(super) load: Loader,
}

/// Fields by name.
pub(super) type FieldTable = &'static [(&'static str, FieldKind)];

/// What a field holds: one of it, a list of it, or null.
pub(super) enum FieldKind {
    /// A text, a number, true or false: there is nothing to choose in it.
    Scalar,
    /// An object whose keys are free.
    FreeForm,
    /// An object with these keys.
    Object(FieldTable),
    /// A resource that stands there whole.
    Embedded(&'static ResourceKind),
    /// The id of a resource.
    Reference(&'static ResourceKind),
}

use FieldKind::{Embedded, FreeForm, Object, Reference, Scalar};

/// The field of this name.
pub(super) fn find_field(fields: FieldTable, name: &str) -> Option<&'static FieldKind> {
    fields.iter().find(|(known, _)| *known == name).map(|(_, field)| field)
}

/// Who reads, from where, and how urls start.
#[derive(Clone)]
pub(super) struct LoadContext {
    pub(super) engine: Engine,
    pub(super) actor: Actor,
    pub(super) base_url: BaseUrl,
}

/// Resources by id, each as the reader would get it by that id. What it may not see is missing.
pub(super) type LoadResult = Result<Vec<(String, Value)>, ApiError>;
/// Loads resources by their ids, all at once.
pub(super) type Loader = fn(LoadContext, Vec<String>) -> Pin<Box<dyn Future<Output = LoadResult> + Send>>;

pub(super) static USER: ResourceKind = ResourceKind {
    name: "user",
    fields: &[
        ("id", Scalar),
        ("email", Scalar),
        ("first_name", Scalar),
        ("last_name", Scalar),
        ("partners", Reference(&PARTNER)),
        ("tags", Scalar),
        ("created_at", Scalar),
        ("updated_at", Scalar),
        (
            "crm",
            Object(&[
                ("values", Object(&[("avg", Scalar), ("sum", Scalar)])),
                ("counters", Object(&[("orders", Scalar), ("tickets", Scalar)])),
            ]),
        ),
    ],
    load: |reader, ids| Box::pin(loaders::users(reader, ids)),
};

pub(super) const CONTACT_FIELDS: FieldTable =
    &[("address", Scalar), ("email", Scalar), ("name", Scalar), ("phones", Scalar), ("www", Scalar)];

const POLICY_FIELDS: FieldTable = &[("kept_percent", Scalar), ("days_before", Scalar), ("after_start", Scalar)];

pub(super) const POINT_FIELDS: FieldTable = &[("type", Scalar), ("coordinates", Scalar)];

/// A picture of an event or a partner. These are no constants: they and partners refer to each other.
static PICTURE_FIELDS: [(&str, FieldKind); 6] = [
    ("id", Scalar),
    ("author", Reference(&PARTNER)),
    ("content_type", Scalar),
    ("length", Scalar),
    ("md5hash", Scalar),
    ("url", Scalar),
];

pub(super) static COVER_FIELDS: [(&str, FieldKind); 3] = [
    ("cover", Object(&PICTURE_FIELDS)),
    ("cover_small", Object(&PICTURE_FIELDS)),
    ("cover_original", Object(&PICTURE_FIELDS)),
];

pub(super) static LOGO_FIELDS: [(&str, FieldKind); 3] = [
    ("logo", Object(&PICTURE_FIELDS)),
    ("logo_small", Object(&PICTURE_FIELDS)),
    ("logo_original", Object(&PICTURE_FIELDS)),
];

pub(super) static PARTNER: ResourceKind = ResourceKind {
    name: "partner",
    fields: &[
        ("id", Scalar),
        ("name", Scalar),
        ("desc", Scalar),
        ("director", Scalar),
        ("channels", Scalar),
        ("contact", Object(CONTACT_FIELDS)),
        ("legal", FreeForm),
        ("media", Object(&LOGO_FIELDS)),
        ("roles", Scalar),
        ("tags", Scalar),
        ("standard_term", Object(&[("org", Scalar), ("extra", Scalar), ("pfc", Scalar)])),
        ("refund_policy", Object(POLICY_FIELDS)),
        ("removed", Scalar),
        ("user", Embedded(&USER)),
        ("users", Reference(&USER)),
        ("created_at", Scalar),
        ("updated_at", Scalar),
    ],
    load: |reader, ids| Box::pin(loaders::partners(reader, ids)),
};

pub(super) static API_KEY: ResourceKind = ResourceKind {
    name: "api_key",
    fields: &[
        ("id", Scalar),
        ("key", Scalar),
        ("name", Scalar),
        ("partner", Reference(&PARTNER)),
        ("created_at", Scalar),
        ("removed", Scalar),
    ],
    // Nothing refers to a key.
    load: |_, _| Box::pin(std::future::ready(Ok(Vec::new()))),
};

pub(super) static ATTACHMENT: ResourceKind = ResourceKind {
    name: "attachment",
    fields: &[
        ("id", Scalar),
        ("author", Reference(&PARTNER)),
        ("content_type", Scalar),
        ("length", Scalar),
        ("md5", Scalar),
        ("url", Scalar),
        ("removed", Scalar),
        ("created_at", Scalar),
        ("updated_at", Scalar),
    ],
    load: |reader, ids| Box::pin(loaders::attachments(reader, ids)),
};

pub(super) static EVENT: ResourceKind = ResourceKind {
    name: "event",
    fields: &[
        ("id", Scalar),
        ("org", Reference(&PARTNER)),
        ("title", Object(&[("text", Scalar), ("desc", Scalar)])),
        ("lifetime", Scalar),
        ("status", Scalar),
        ("tags", Scalar),
        ("venue", Reference(&VENUE)),
        ("map", Reference(&MAP)),
        ("media", Object(&COVER_FIELDS)),
        ("age_rating", Scalar),
        ("tickets_limit", Scalar),
        ("hold_minutes", Scalar),
        ("refund_policy", Object(POLICY_FIELDS)),
        ("removed", Scalar),
        ("sets", Embedded(&SET)),
        ("created_at", Scalar),
        ("updated_at", Scalar),
    ],
    load: |reader, ids| Box::pin(loaders::events(reader, ids)),
};

pub(super) static DEAL: ResourceKind = ResourceKind {
    name: "deal",
    fields: &[
        ("id", Scalar),
        ("event", Reference(&EVENT)),
        ("subj", Reference(&PARTNER)),
        ("obj", Reference(&PARTNER)),
        ("reversed_deal", Scalar),
        ("status", Scalar),
        ("message", Scalar),
        ("term", Object(&[("org", Scalar), ("extra", Scalar), ("core", Scalar), ("pfc", Scalar)])),
        ("title", Object(&[("text", Scalar), ("desc", Scalar)])),
        ("created_at", Scalar),
        ("updated_at", Scalar),
    ],
    load: |reader, ids| Box::pin(loaders::deals(reader, ids)),
};

pub(super) static VENUE: ResourceKind = ResourceKind {
    name: "venue",
    fields: &[
        ("id", Scalar),
        ("org", Reference(&PARTNER)),
        ("name", Scalar),
        ("description", Scalar),
        ("desc", Scalar),
        ("address", Scalar),
        ("city", Reference(&CITY)),
        ("country", Reference(&COUNTRY)),
        ("point", Object(POINT_FIELDS)),
        ("removed", Scalar),
        ("created_at", Scalar),
        ("updated_at", Scalar),
    ],
    load: |reader, ids| Box::pin(loaders::venues(reader, ids)),
};

pub(super) static MAP: ResourceKind = ResourceKind {
    name: "map",
    fields: &[
        ("id", Scalar),
        ("venue", Reference(&VENUE)),
        ("name", Scalar),
        ("desc", Scalar),
        ("sectors", Object(SECTOR_FIELDS)),
        ("created_at", Scalar),
        ("updated_at", Scalar),
    ],
    load: |reader, ids| Box::pin(loaders::maps(reader, ids)),
};

const SECTOR_FIELDS: FieldTable =
    &[("id", Scalar), ("name", Scalar), ("desc", Scalar), ("with_seats", Scalar), ("rows", Object(SEAT_ROW_FIELDS))];

const SEAT_ROW_FIELDS: FieldTable = &[
    ("row", Scalar),
    ("from", Scalar),
    ("to", Scalar),
    ("x", Scalar),
    ("y", Scalar),
    ("dx", Scalar),
    ("dy", Scalar),
    ("rank", Scalar),
];

pub(super) static CITY: ResourceKind = ResourceKind {
    name: "city",
    fields: &[
        ("id", Scalar),
        ("name", FreeForm),
        ("country", Reference(&COUNTRY)),
        ("timezone", Scalar),
        ("population", Scalar),
        ("type", Scalar),
    ],
    load: |_, ids| Box::pin(std::future::ready(loaders::cities(&ids))),
};

pub(super) static COUNTRY: ResourceKind = ResourceKind {
    name: "country",
    fields: &[("id", Scalar), ("name", FreeForm), ("type", Scalar)],
    load: |_, ids| Box::pin(std::future::ready(loaders::countries(&ids))),
};

pub(super) const RULE_FIELDS: FieldTable = &[
    ("id", Scalar),
    ("cal", Scalar),
    ("current", Scalar),
    ("price", Scalar),
    ("price_org", Scalar),
    ("price_extra", Scalar),
];

pub(super) static SET: ResourceKind = ResourceKind {
    name: "set",
    fields: &[
        ("id", Scalar),
        ("event", Reference(&EVENT)),
        ("name", Scalar),
        ("desc", Scalar),
        ("description", Scalar),
        ("amount", Scalar),
        ("amount_vacant", Scalar),
        ("current_price", Scalar),
        ("current_rule", Object(RULE_FIELDS)),
        ("rules", Object(RULE_FIELDS)),
        ("rule", Object(RULE_FIELDS)),
        ("price", Scalar),
        ("price_org", Scalar),
        ("price_extra", Scalar),
        ("pos", Scalar),
        ("sector", Scalar),
        ("with_seats", Scalar),
        ("seats", FreeForm),
        ("removed", Scalar),
        ("created_at", Scalar),
        ("updated_at", Scalar),
    ],
    load: |reader, ids| Box::pin(loaders::sets(reader, ids)),
};

pub(super) static TICKET: ResourceKind = ResourceKind {
    name: "ticket",
    fields: &[
        ("id", Scalar),
        ("number", Scalar),
        ("serial", Scalar),
        ("barcode", Scalar),
        ("seat", Object(&[("map", Scalar), ("sector", Scalar), ("row", Scalar), ("number", Scalar)])),
        ("set", Reference(&SET)),
        ("status", Scalar),
        ("reserved_till", Scalar),
        ("removed", Scalar),
        ("created_at", Scalar),
        ("updated_at", Scalar),
    ],
    load: |reader, ids| Box::pin(loaders::tickets(reader, ids)),
};

pub(super) static PROMOCODE: ResourceKind = ResourceKind {
    name: "promocode",
    fields: &[
        ("id", Scalar),
        ("event", Reference(&EVENT)),
        ("sets", Reference(&SET)),
        ("name", Scalar),
        ("desc", Scalar),
        ("code", Scalar),
        ("discount", Object(&[("percengate", Scalar), ("fixed", Scalar)])),
        ("amount", Scalar),
        ("lifetime", Scalar),
        ("tickets_count", Object(&[("min", Scalar), ("max", Scalar)])),
        ("counter", Object(&[("reserved", Scalar), ("used", Scalar)])),
        ("created_at", Scalar),
        ("updated_at", Scalar),
    ],
    load: |reader, ids| Box::pin(loaders::promocodes(reader, ids)),
};

pub(super) static PROMOTION: ResourceKind = ResourceKind {
    name: "promotion",
    fields: &[
        ("id", Scalar),
        ("event", Reference(&EVENT)),
        ("lifetime", Object(&[("start", Scalar), ("finish", Scalar)])),
        ("sets", Reference(&SET)),
        ("by", Scalar),
        ("kind", Scalar),
        ("levels", Object(&[("from", Scalar), ("value", Scalar)])),
        ("removed", Scalar),
        ("created_at", Scalar),
        ("updated_at", Scalar),
    ],
    load: |reader, ids| Box::pin(loaders::promotions(reader, ids)),
};

pub(super) static ORDER: ResourceKind = ResourceKind {
    name: "order",
    fields: &[
        ("id", Scalar),
        ("event", Reference(&EVENT)),
        ("org", Reference(&PARTNER)),
        ("vendor", Reference(&PARTNER)),
        ("deal", Reference(&DEAL)),
        ("number", Scalar),
        ("status", Scalar),
        ("tickets", Reference(&TICKET)),
        (
            "customer",
            Object(&[
                ("email", Scalar),
                ("first_name", Scalar),
                ("last_name", Scalar),
                ("mobile", Scalar),
                ("lang", Scalar),
                ("user", Reference(&USER)),
            ]),
        ),
        (
            "payment",
            Object(&[("system", Scalar), ("success_url", Scalar), ("failure_url", Scalar), ("send_tickets", Scalar)]),
        ),
        ("promocodes", Reference(&PROMOCODE)),
        ("promotions", Reference(&PROMOTION)),
        ("rules", FreeForm),
        ("reserved_till", Scalar),
        ("value", Scalar),
        ("value_extra", Scalar),
        (
            "values",
            Object(&[
                ("full", Scalar),
                ("nominal", Scalar),
                ("extra", Scalar),
                ("discount", Scalar),
                (
                    "sets",
                    Object(&[("id", Scalar), ("d", Scalar), ("p", Scalar), ("ps", Scalar), ("promotion", Scalar)]),
                ),
            ]),
        ),
        ("refund_policy", Object(POLICY_FIELDS)),
        ("refunded", Scalar),
        ("created_at", Scalar),
        ("updated_at", Scalar),
        (
            "details",
            Object(&[
                ("ticket", Scalar),
                ("reason", Scalar),
                ("reserved_till", Scalar),
                ("set", Scalar),
                ("wanted", Scalar),
                ("got", Scalar),
            ]),
        ),
    ],
    load: |reader, ids| Box::pin(loaders::orders(reader, ids)),
};

const REFUND_VALUES_FIELDS: FieldTable =
    &[("paid", Scalar), ("nominal", Scalar), ("extra", Scalar), ("org", Scalar), ("agent", Scalar), ("core", Scalar)];

pub(super) static REFUND_REQUEST: ResourceKind = ResourceKind {
    name: "refund_request",
    fields: &[
        ("id", Scalar),
        ("order", Reference(&ORDER)),
        ("event", Reference(&EVENT)),
        ("org", Reference(&PARTNER)),
        ("vendor", Reference(&PARTNER)),
        ("culprit", Scalar),
        ("status", Scalar),
        ("tickets", Reference(&TICKET)),
        ("tickets_refund", Reference(&TICKET)),
        ("value", Scalar),
        ("values", Object(REFUND_VALUES_FIELDS)),
        (
            "lines",
            Object(&[
                ("ticket", Reference(&TICKET)),
                ("set", Reference(&SET)),
                ("value", Scalar),
                ("values", Object(REFUND_VALUES_FIELDS)),
            ]),
        ),
        ("policy", Object(POLICY_FIELDS)),
        ("payment_system", Scalar),
        ("reason", Scalar),
        ("requested_at", Scalar),
        ("finished_at", Scalar),
        ("created_at", Scalar),
        ("updated_at", Scalar),
    ],
    // Nothing refers to a refund request.
    load: |_, _| Box::pin(std::future::ready(Ok(Vec::new()))),
};

#[cfg(test)]
mod tests;
