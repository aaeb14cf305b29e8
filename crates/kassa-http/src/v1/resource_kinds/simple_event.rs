//! What an event of `/v1/services/simple/events` consists of. All that belongs to it stands there as an
//! object.

use super::{CITY, CONTACT_FIELDS, COUNTRY, COVER_FIELDS, LOGO_FIELDS, POINT_FIELDS, RULE_FIELDS};
use crate::route::FieldKind::{Embedded, FreeForm, Object, Scalar};
use crate::route::{FieldKind, ResourceKind};

/// The organizer, and the one that sells.
static SIMPLE_PARTNER_FIELDS: [(&str, FieldKind); 6] = [
    ("id", Scalar),
    ("name", Scalar),
    ("desc", Scalar),
    ("media", Object(&LOGO_FIELDS)),
    ("tags", Scalar),
    ("contact", Object(CONTACT_FIELDS)),
];

static SIMPLE_MAP_FIELDS: [(&str, FieldKind); 5] = [
    ("id", Scalar),
    ("name", Scalar),
    ("desc", Scalar),
    (
        "sectors",
        Object(&[
            ("id", Scalar),
            ("name", Scalar),
            ("desc", Scalar),
            ("with_seats", Scalar),
            ("seats", FreeForm),
            ("type", Scalar),
        ]),
    ),
    ("svg", Object(&[("map", Scalar), ("mapz", Scalar), ("source", Scalar)])),
];

pub(crate) static SIMPLE_EVENT: ResourceKind = ResourceKind {
    name: "simple_event",
    fields: &[
        ("id", Scalar),
        ("created_at", Scalar),
        ("updated_at", Scalar),
        ("age_rating", Scalar),
        ("allow_other_ps", Scalar),
        ("status", Scalar),
        ("tags", Scalar),
        ("title", Object(&[("text", Scalar), ("desc", Scalar)])),
        ("lifetime", Scalar),
        ("deal", Object(&[("agent", Scalar), ("extra", Scalar), ("media", Scalar), ("org", Scalar), ("pfc", Scalar)])),
        ("map", Object(&SIMPLE_MAP_FIELDS)),
        ("media", Object(&COVER_FIELDS)),
        ("org", Object(&SIMPLE_PARTNER_FIELDS)),
        ("partner", Object(&SIMPLE_PARTNER_FIELDS)),
        (
            "sets",
            Object(&[
                ("id", Scalar),
                ("name", Scalar),
                ("desc", Scalar),
                ("pos", Scalar),
                ("amount", Scalar),
                ("amount_vacant", Scalar),
                ("price", Scalar),
                ("price_org", Scalar),
                ("price_extra", Scalar),
                ("rules", Object(RULE_FIELDS)),
                ("sector", Scalar),
                ("with_seats", Scalar),
                ("seats", FreeForm),
            ]),
        ),
        ("ticket_template", Object(&[("fan_cover_url", Scalar), ("name", Scalar), ("text_color", Scalar)])),
        ("tickets_amount", Scalar),
        ("tickets_amount_vacant", Scalar),
        (
            "venue",
            Object(&[
                ("id", Scalar),
                ("name", Scalar),
                ("desc", Scalar),
                ("address", Scalar),
                ("point", Object(POINT_FIELDS)),
                ("city", Embedded(&CITY)),
                ("country", Embedded(&COUNTRY)),
            ]),
        ),
        (
            "legal_detail",
            Object(&[("name", Scalar), ("inn", Scalar), ("ogrn", Scalar), ("ogrnip", Scalar), ("address", Scalar)]),
        ),
    ],
};
