//! A venue as v1 shows it, and as requests write it.

use kassa_domain::Patch;
use kassa_domain::geo::{CityId, CountryId};
use kassa_domain::partner::PartnerId;
use kassa_domain::venue::{Point, Venue, VenueId, VenuePatch};
use serde::{Deserialize, Serialize};

use crate::error::Detail;
use crate::input::{Flag, FromJson, Input, LongText, Problems, Text};
use crate::wire::Time;

/// A venue (api-facts §3.4).
#[derive(Debug, Serialize)]
pub(crate) struct VenueBody<'a> {
    id: VenueId,
    org: PartnerId,
    name: &'a str,
    description: Option<&'a str>,
    desc: Option<&'a str>,
    address: Option<&'a str>,
    city: Option<CityId>,
    country: Option<CountryId>,
    point: Option<PointBody>,
    removed: bool,
    created_at: Time,
    updated_at: Time,
}

/// A `GeoJSON` Point (RFC 7946): longitude, then latitude.
#[derive(Debug, Serialize)]
struct PointBody {
    r#type: &'static str,
    coordinates: [f64; 2],
}

impl<'a> VenueBody<'a> {
    pub(crate) fn new(venue: &'a Venue) -> Self {
        let point = |point: Point| PointBody { r#type: POINT, coordinates: [point.longitude(), point.latitude()] };
        let desc = venue.about.desc.as_deref();
        Self {
            id: venue.id,
            org: venue.org,
            name: &venue.name,
            description: desc,
            desc,
            address: venue.about.address.as_deref(),
            city: venue.city,
            country: venue.country,
            point: venue.about.point.map(point),
            removed: venue.removed,
            created_at: Time(venue.created_at),
            updated_at: Time(venue.updated_at),
        }
    }
}

/// A venue in a request. `desc` and `description` are one field; the former wins.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct VenueInput {
    name: Input<Text>,
    description: Input<LongText>,
    desc: Input<LongText>,
    address: Input<Text<1000>>,
    city: Input<CityInput>,
    country: Input<CountryInput>,
    point: Input<PointInput>,
    removed: Input<Flag>,
}

impl VenueInput {
    /// The patch; a new venue must have a name, and is not removed.
    pub(crate) fn into_patch(self, is_new: bool, problems: &mut Problems) -> VenuePatch {
        let name = match self.name {
            name if is_new => name.required("name", problems).into(),
            name => name.patch_some("name", problems),
        };
        let name = name.map(|text| text.0);
        if matches!(&name, Patch::Set(text) if text.trim().is_empty()) {
            problems.add("name", "must not be blank");
        }
        let desc = self.desc.patch("desc", problems);
        let description = self.description.patch("description", problems);
        let desc = if desc.is_given() { desc } else { description };
        let removed = self.removed.patch("removed", problems).map(|flag| flag.0);
        VenuePatch {
            name,
            desc: desc.map(|text| text.0),
            address: self.address.patch("address", problems).map(|text| text.0),
            city: self.city.patch("city", problems).map(|city| city.0),
            country: self.country.patch("country", problems).map(|country| country.0),
            point: self.point.patch("point", problems).map(|point| point.0),
            removed: if is_new { Patch::Keep } else { removed },
        }
    }
}

fn bad(problem: &str) -> Vec<Detail> {
    vec![Detail { field: String::new(), problem: problem.to_owned() }]
}

/// The id of a city: a number.
struct CityInput(CityId);

impl FromJson for CityInput {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        json.parse().map(Self).map_err(|_| bad("must be the number of a city"))
    }
}

/// The id of a country, in any case.
struct CountryInput(CountryId);

impl FromJson for CountryInput {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        let text: Option<String> = serde_json::from_str(json).ok();
        let country = text.and_then(|text| text.parse().ok());
        country.map(Self).ok_or_else(|| bad("must be the two letters of a country"))
    }
}

const POINT: &str = "Point";

/// A `GeoJSON` Point. A height is accepted and ignored.
struct PointInput(Point);

impl FromJson for PointInput {
    fn from_json(json: &str) -> Result<Self, Vec<Detail>> {
        #[derive(Deserialize)]
        struct Fields {
            r#type: String,
            coordinates: Vec<f64>,
        }
        let form = "must be a GeoJSON Point, as {\"type\": \"Point\", \"coordinates\": [37.6, 55.7]}";
        let fields: Fields = serde_json::from_str(json).map_err(|_| bad(form))?;
        let ([longitude, latitude] | [longitude, latitude, _]) = fields.coordinates[..] else {
            return Err(bad(form));
        };
        if fields.r#type != POINT {
            return Err(bad(form));
        }
        let range = "must be a longitude from -180 to 180, then a latitude from -90 to 90";
        let problem = || vec![Detail { field: ".coordinates".to_owned(), problem: range.to_owned() }];
        Point::new(longitude, latitude).map(Self).ok_or_else(problem)
    }
}
