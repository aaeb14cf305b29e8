//! What resources of version 1 consist of. A kind of resource is one entry here and one loader in [`super::loaders`];
//! a route that shows it says so in its `ROUTE`.

mod simple_event;

use crate::route::FieldKind::{Embedded, FreeForm, Object, Reference, Scalar};
use crate::route::{FieldKind, FieldTable, ResourceKind};
pub(crate) use simple_event::SIMPLE_EVENT;

pub(crate) static USER: ResourceKind = ResourceKind {
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
};

const CONTACT_FIELDS: FieldTable =
    &[("address", Scalar), ("email", Scalar), ("name", Scalar), ("phones", Scalar), ("www", Scalar)];

const POLICY_FIELDS: FieldTable = &[("kept_percent", Scalar), ("days_before", Scalar), ("after_start", Scalar)];

const POINT_FIELDS: FieldTable = &[("type", Scalar), ("coordinates", Scalar)];

/// A picture of an event or a partner. These are no constants: they and partners refer to each other.
static PICTURE_FIELDS: [(&str, FieldKind); 6] = [
    ("id", Scalar),
    ("author", Reference(&PARTNER)),
    ("content_type", Scalar),
    ("length", Scalar),
    ("md5hash", Scalar),
    ("url", Scalar),
];

static COVER_FIELDS: [(&str, FieldKind); 3] = [
    ("cover", Object(&PICTURE_FIELDS)),
    ("cover_small", Object(&PICTURE_FIELDS)),
    ("cover_original", Object(&PICTURE_FIELDS)),
];

static LOGO_FIELDS: [(&str, FieldKind); 3] = [
    ("logo", Object(&PICTURE_FIELDS)),
    ("logo_small", Object(&PICTURE_FIELDS)),
    ("logo_original", Object(&PICTURE_FIELDS)),
];

pub(crate) static PARTNER: ResourceKind = ResourceKind {
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
};

pub(crate) static API_KEY: ResourceKind = ResourceKind {
    name: "api_key",
    fields: &[
        ("id", Scalar),
        ("key", Scalar),
        ("name", Scalar),
        ("partner", Reference(&PARTNER)),
        ("created_at", Scalar),
        ("removed", Scalar),
    ],
};

pub(crate) static ATTACHMENT: ResourceKind = ResourceKind {
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
};

pub(crate) static EVENT: ResourceKind = ResourceKind {
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
};

pub(crate) static DEAL: ResourceKind = ResourceKind {
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
};

pub(crate) static VENUE: ResourceKind = ResourceKind {
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
};

pub(crate) static MAP: ResourceKind = ResourceKind {
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

pub(crate) static CITY: ResourceKind = ResourceKind {
    name: "city",
    fields: &[
        ("id", Scalar),
        ("name", FreeForm),
        ("country", Reference(&COUNTRY)),
        ("timezone", Scalar),
        ("population", Scalar),
        ("type", Scalar),
    ],
};

pub(crate) static COUNTRY: ResourceKind =
    ResourceKind { name: "country", fields: &[("id", Scalar), ("name", FreeForm), ("type", Scalar)] };

const RULE_FIELDS: FieldTable = &[
    ("id", Scalar),
    ("cal", Scalar),
    ("current", Scalar),
    ("price", Scalar),
    ("price_org", Scalar),
    ("price_extra", Scalar),
];

pub(crate) static SET: ResourceKind = ResourceKind {
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
};

pub(crate) static TICKET: ResourceKind = ResourceKind {
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
};

pub(crate) static PROMOCODE: ResourceKind = ResourceKind {
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
};

pub(crate) static PROMOTION: ResourceKind = ResourceKind {
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
};

pub(crate) static ORDER: ResourceKind = ResourceKind {
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
};

const REFUND_VALUES_FIELDS: FieldTable =
    &[("paid", Scalar), ("nominal", Scalar), ("extra", Scalar), ("org", Scalar), ("agent", Scalar), ("core", Scalar)];

pub(crate) static REFUND_REQUEST: ResourceKind = ResourceKind {
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
};

#[cfg(test)]
mod tests;
