//! A venue as v1 shows it, and as requests write it.

use kassa_domain::Patch;
use kassa_domain::geo::{CityId, CountryId};
use kassa_domain::venue::{GeoPoint, Venue, VenuePatch, VenueProfilePatch};
use serde::Deserialize;
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};

use crate::error::ErrorDetail;
use crate::input::{Flag, FromJson, Input, LineText, LongText, Problems, fields, parse_whole_number, requires};
use crate::openapi::schema;
use crate::route::ResourceKind;
use crate::wire::{IdRef, PartnerRef, Referenced, Time, VenueRef, WireField, wire_form};

wire_form! {
    /// A venue.
    #[derive(Debug)]
    #[schema(as = Venue)]
    pub(crate) struct VenueBody<'a> {
        /// The id of the venue.
        id: VenueRef,
        /// The partner that created it.
        org: PartnerRef,
        /// The name of the venue.
        name: &'a str,
        /// A description; `null` if there is none.
        description: Option<&'a str>,
        /// The same as `description`.
        desc: Option<&'a str>,
        /// The postal address; `null` if it is not set.
        address: Option<&'a str>,
        /// The city's number in GeoNames; `null` if it is not set.
        #[schema(value_type = Option<u32>)]
        city: Option<CityId>,
        /// The country: two capital letters (ISO 3166-1). `null` if it is not set.
        #[schema(value_type = Option<String>)]
        country: Option<CountryId>,
        /// Where it is on the globe; `null` if that is not set.
        point: Option<PointBody>,
        /// Whether it is removed.
        removed: bool,
        /// When it was created.
        created_at: Time,
        /// When it was last changed.
        updated_at: Time,
    }
}

pub(crate) static VENUE: ResourceKind = ResourceKind::new("venue", VenueBody::KIND);

impl Referenced for Venue {
    fn kind() -> &'static ResourceKind {
        &VENUE
    }
}

wire_form! {
    /// A `GeoJSON` Point (RFC 7946): longitude, then latitude.
    #[derive(Debug)]
    #[schema(as = Point)]
    pub(crate) struct PointBody {
        /// Always `Point`.
        r#type: &'static str,
        /// The longitude (-180 to 180), then the latitude (-90 to 90), in degrees.
        coordinates: [f64; 2],
    }
}

impl From<GeoPoint> for PointBody {
    fn from(point: GeoPoint) -> Self {
        Self { r#type: POINT_TYPE, coordinates: [point.longitude(), point.latitude()] }
    }
}

impl<'a> VenueBody<'a> {
    pub(crate) fn new(venue: &'a Venue) -> Self {
        let desc = venue.profile.desc.as_deref();
        Self {
            id: IdRef(venue.id),
            org: IdRef(venue.owner),
            name: &venue.name,
            description: desc,
            desc,
            address: venue.profile.address.as_deref(),
            city: venue.city,
            country: venue.country,
            point: venue.profile.point.map(PointBody::from),
            removed: venue.removed,
            created_at: Time(venue.created_at),
            updated_at: Time(venue.updated_at),
        }
    }
}

fields! {
    /// A venue in a request.
    pub(crate) struct VenueInput {
        /// The name of the venue; up to 255 characters.
        name: Input<LineText>,
        /// A description; up to 10000 characters.
        description: Input<LongText>,
        /// The same as `description`, over which it wins.
        desc: Input<LongText>,
        /// The postal address; up to 1000 characters.
        address: Input<LineText<1000>>,
        /// The city's number in GeoNames, as `GET /v1/resources/cities` lists it.
        city: Input<CityInput>,
        /// The country: two letters (ISO 3166-1), in any case. It must be that of the city, if there is one.
        country: Input<CountryInput>,
        /// Where it is on the globe.
        point: Input<PointInput>,
        /// `true` removes the venue, `false` restores it.
        removed: Input<Flag>,
    }
}

requires! {
    /// A new venue.
    pub(crate) struct NewVenue: VenueInput { name }
}

impl VenueInput {
    /// The patch; a new venue must have a name, and is not removed.
    pub(crate) fn into_patch(self, is_new: bool, problems: &mut Problems) -> VenuePatch {
        let name = match self.name {
            name if is_new => name.required("name", problems).into(),
            name => name.patch_non_null("name", problems),
        };
        let name = name.map(|text| text.0);
        if matches!(&name, Patch::Set(text) if text.trim().is_empty()) {
            problems.add("name", "must not be blank");
        }
        let desc = self.desc.patch("desc", problems);
        let description = self.description.patch("description", problems);
        let desc = if desc.is_given() { desc } else { description };
        let removed = self.removed.patch("removed", problems).map(|flag| flag.0);
        // Clients may show the problems as they come: in this order, which is not that of the patch.
        let address = self.address.patch("address", problems).map(|text| text.0);
        let city = self.city.patch("city", problems).map(|city| city.0);
        let country = self.country.patch("country", problems).map(|country| country.0);
        VenuePatch {
            name,
            city,
            country,
            profile: VenueProfilePatch {
                desc: desc.map(|text| text.0),
                address,
                point: self.point.patch("point", problems).map(|point| point.0),
            },
            removed: if is_new { Patch::Keep } else { removed },
        }
    }
}

fn invalid(problem: &str) -> Vec<ErrorDetail> {
    vec![ErrorDetail::new("", problem)]
}

/// The id of a city: a number.
struct CityInput(CityId);

impl FromJson for CityInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        parse_whole_number(json).map(Self).ok_or_else(|| invalid("must be the number of a city"))
    }

    fn json_schema() -> RefOr<Schema> {
        schema::integer().minimum(Some(0)).into()
    }
}

/// The id of a country, in any case.
struct CountryInput(CountryId);

impl FromJson for CountryInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        let text: Option<String> = serde_json::from_str(json).ok();
        let country = text.and_then(|text| text.parse().ok());
        country.map(Self).ok_or_else(|| invalid("must be the two letters of a country"))
    }

    fn json_schema() -> RefOr<Schema> {
        schema::country().into()
    }
}

const POINT_TYPE: &str = "Point";

/// A `GeoJSON` Point. A height is accepted and ignored.
struct PointInput(GeoPoint);

impl FromJson for PointInput {
    fn from_json(json: &str) -> Result<Self, Vec<ErrorDetail>> {
        #[derive(Deserialize)]
        struct PointFields {
            r#type: String,
            coordinates: Vec<f64>,
        }
        let form = "must be a GeoJSON Point, as {\"type\": \"Point\", \"coordinates\": [37.6, 55.7]}";
        let fields: PointFields = serde_json::from_str(json).map_err(|_| invalid(form))?;
        let ([longitude, latitude] | [longitude, latitude, _]) = fields.coordinates[..] else {
            return Err(invalid(form));
        };
        if fields.r#type != POINT_TYPE {
            return Err(invalid(form));
        }
        let range = "must be a longitude from -180 to 180, then a latitude from -90 to 90";
        let problem = || vec![ErrorDetail::new(".coordinates", range)];
        GeoPoint::new(longitude, latitude).map(Self).ok_or_else(problem)
    }

    fn json_schema() -> RefOr<Schema> {
        let coordinates = schema::list(ObjectBuilder::new().schema_type(Type::Number));
        let about = "The longitude (-180 to 180), then the latitude (-90 to 90), in degrees. A height is ignored.";
        let point = ObjectBuilder::new()
            .property("type", schema::words([POINT_TYPE]).description(Some("Always `Point`.")))
            .property("coordinates", coordinates.min_items(Some(2)).max_items(Some(3)).description(Some(about)))
            .description(Some("A GeoJSON Point (RFC 7946)."));
        point.required("type").required("coordinates").into()
    }
}
