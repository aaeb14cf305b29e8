//! What an event of `/v1/services/simple/events` consists of. All that belongs to it stands there as an
//! object.

use super::kinds::Field::{self, Free, Object, Plain, Whole};
use super::kinds::{CITY, CONTACT, COUNTRY, COVER, Kind, LOGO, POINT, RULE};

/// The organizer, and the one that sells.
static PARTNER: [(&str, Field); 6] = [
    ("id", Plain),
    ("name", Plain),
    ("desc", Plain),
    ("media", Object(&LOGO)),
    ("tags", Plain),
    ("contact", Object(CONTACT)),
];

static MAP: [(&str, Field); 5] = [
    ("id", Plain),
    ("name", Plain),
    ("desc", Plain),
    (
        "sectors",
        Object(&[
            ("id", Plain),
            ("name", Plain),
            ("desc", Plain),
            ("with_seats", Plain),
            ("seats", Free),
            ("type", Plain),
        ]),
    ),
    ("svg", Object(&[("map", Plain), ("mapz", Plain), ("source", Plain)])),
];

pub(super) static SIMPLE_EVENT: Kind = Kind {
    name: "simple_event",
    fields: &[
        ("id", Plain),
        ("created_at", Plain),
        ("updated_at", Plain),
        ("age_rating", Plain),
        ("allow_other_ps", Plain),
        ("status", Plain),
        ("tags", Plain),
        ("title", Object(&[("text", Plain), ("desc", Plain)])),
        ("lifetime", Plain),
        ("deal", Object(&[("agent", Plain), ("extra", Plain), ("media", Plain), ("org", Plain), ("pfc", Plain)])),
        ("map", Object(&MAP)),
        ("media", Object(&COVER)),
        ("org", Object(&PARTNER)),
        ("partner", Object(&PARTNER)),
        (
            "sets",
            Object(&[
                ("id", Plain),
                ("name", Plain),
                ("desc", Plain),
                ("pos", Plain),
                ("amount", Plain),
                ("amount_vacant", Plain),
                ("price", Plain),
                ("price_org", Plain),
                ("price_extra", Plain),
                ("rules", Object(RULE)),
                ("sector", Plain),
                ("with_seats", Plain),
                ("seats", Free),
            ]),
        ),
        ("ticket_template", Object(&[("fan_cover_url", Plain), ("name", Plain), ("text_color", Plain)])),
        ("tickets_amount", Plain),
        ("tickets_amount_vacant", Plain),
        (
            "venue",
            Object(&[
                ("id", Plain),
                ("name", Plain),
                ("desc", Plain),
                ("address", Plain),
                ("point", Object(POINT)),
                ("city", Whole(&CITY)),
                ("country", Whole(&COUNTRY)),
            ]),
        ),
        (
            "legal_detail",
            Object(&[("name", Plain), ("inn", Plain), ("ogrn", Plain), ("ogrnip", Plain), ("address", Plain)]),
        ),
    ],
    // Nothing refers to it.
    load: |_, _| Box::pin(std::future::ready(Ok(Vec::new()))),
};
