//! What is sold: venues, events, and sets of tickets with their prices, as each organizer makes them.

use serde_json::{Value, json};

use super::calendar::Calendar;
use super::client::{DemoClient, text_field};
use super::event::DemoEvent;
use super::hall;
use super::partners::{DemoPartner, DemoPartners};
use super::posters;
use crate::error::Fatal;

const BERLIN: &str = "Europe/Berlin";
const PRAGUE: &str = "Europe/Prague";
const HELSINKI: &str = "Europe/Helsinki";

const LANTERNS_DESC: &str = "A thousand paper lanterns go down the river, two orchestras play from opposite banks, and \
    between them are the boats.\n\nThe gates open an hour before dusk. Bring something warm: the wind comes from the water, \
    and the last lantern is lit late. In rain, the orchestras move under the roof of the warehouse, and the lanterns do not \
    mind.";
const BRASS_DESC: &str = "Twelve players, two tubas, and the horns of three ships that answer from the river.\n\nThe concert ended \
    with the tide, as announced.";
const ORGAN_DESC: &str = "Bach and Messiaen by the light of three hundred candles, and nothing else.\n\nThe nave is not \
    heated. Blankets are on the pews. Groups have a week to pay.";
const TANGO_DESC: &str = "The band begins when the last ferry has left. Forty people fit onto the floor, which is why this is \
    always sold out.";
const GARDEN_DESC: &str = "A botanist inherits a garden in which everything is made of glass. Whoever breaks a leaf has to stay.\
    \n\nA new play for seven actors and four hundred panes, without an interval. In Czech, with English surtitles.";
const MOON_DESC: &str = "Sales begin when the cast is complete.";
const PUPPETS_DESC: &str = "With rolls and cocoa.\n\nThe goose is ill, and there is no play without her. Everybody has their money \
    back; she sends her regards.";
const LIGHTHOUSE_DESC: &str = "Two keepers, one winter, and a light that must not go out.\n\nThe first performances of the new \
    season: tickets are on sale as soon as the clocks have been put forward.";
const OPEN_DAY_DESC: &str = "Once a year the depot opens its gates, and line 1 runs around the yard.\n\nBehind the stage, under \
    the stage, and into the workshop where moons are made. Tours begin every half hour; each has room for fifteen. It costs \
    nothing, but without a ticket nobody gets through the gate.";
const FESTIVAL_DESC: &str = "Forty bands on three stages, a sauna between each of them, and nights that are too short for \
    sleeping.\n\nThe ferry to the island leaves every twenty minutes and is part of the ticket. Children under seven come \
    for nothing. Whoever camps brings a tent; the meadow brings the rest.";

/// Events that others refer to.
pub(super) struct DemoCatalogue {
    /// On sale for most of a year, at prices that rise.
    pub(super) lanterns: DemoEvent,
    /// Over.
    pub(super) brass: DemoEvent,
    /// On sale, with numbered seats.
    pub(super) strings: DemoEvent,
    /// On sale, and held for a week.
    pub(super) organ: DemoEvent,
    /// On sale.
    pub(super) garden: DemoEvent,
    /// On sale, for three days.
    pub(super) festival: DemoEvent,
    /// On sale, with few tickets.
    pub(super) tango: DemoEvent,
}

impl DemoCatalogue {
    /// Makes all venues, events and sets.
    pub(super) async fn publish(api: &DemoClient, partners: &DemoPartners, calendar: &Calendar) -> Result<Self, Fatal> {
        let [lanterns, brass, strings, organ, tango] = publish_harbour(api, &partners.harbour, calendar).await?;
        let garden = publish_clockwork(api, &partners.clockwork, calendar).await?;
        let festival = publish_north_light(api, &partners.north_light, calendar).await?;
        Ok(Self { lanterns, brass, strings, organ, garden, festival, tango })
    }
}

/// Concerts in Hamburg: one that is far ahead, one that is over, one with seats,
/// one with long holds, and a small one.
async fn publish_harbour(api: &DemoClient, org: &DemoPartner, calendar: &Calendar) -> Result<[DemoEvent; 5], Fatal> {
    let hamburg = find_city(api, "Hamburg", "DE").await?;
    let quay = json!({
        "name": "Harbour Hall", "address": "Am Kaispeicher 5", "city": hamburg,
        "desc": "A warehouse of 1887. The river is behind the stage, and the bar is where the cranes were.",
        "point": {"type": "Point", "coordinates": [9.9843, 53.5413]},
    });
    let quay = create_venue(org, quay).await?;
    let lanterns = json!({
        "title": {"text": "Night of the Lanterns", "desc": LANTERNS_DESC},
        "lifetime": calendar.vevent(300, 18, 4),
        "status": "public", "venue": quay, "tags": ["concert", "open air"], "age_rating": 6,
        "media": org.upload_poster(&posters::lanterns()).await?,
    });
    let stalls = json!({"name": "Stalls", "pos": 1, "amount": 300, "rules": [
        {"finish": calendar.midnight_in(BERLIN, 60), "price": "25.00"},
        {"start": calendar.midnight_in(BERLIN, 60), "price": "32.00"},
    ]});
    let balcony = json!({"name": "Balcony", "pos": 2, "amount": 120, "price": "18.00"});
    let lanterns = DemoEvent::publish(org, lanterns, [stalls, balcony]).await?;

    let brass = json!({
        "title": {"text": "Harbour Brass", "desc": BRASS_DESC},
        "lifetime": calendar.vevent(-8, 19, 2),
        "status": "public", "venue": quay, "tags": ["concert"],
        "media": org.upload_poster(&posters::brass()).await?,
    });
    let hall = json!({"name": "Hall", "amount": 200, "price": "22.00"});
    let brass = DemoEvent::publish(org, brass, [hall]).await?;

    let strings = hall::publish_seated_concert(org, &quay, calendar).await?;

    let organ = json!({
        "title": {"text": "Organ by Candlelight", "desc": ORGAN_DESC},
        "lifetime": calendar.vevent(45, 18, 2),
        "status": "public", "venue": quay, "tags": ["concert"], "hold_minutes": 7 * 24 * 60,
        "media": org.upload_poster(&posters::organ()).await?,
    });
    let nave = json!({"name": "Nave", "amount": 150, "price": "15.00"});
    let organ = DemoEvent::publish(org, organ, [nave]).await?;

    let tango = json!({
        "title": {"text": "The Last Tango Boat", "desc": TANGO_DESC},
        "lifetime": calendar.vevent(6, 20, 3),
        "status": "public", "venue": quay, "tags": ["dance"], "age_rating": 18,
        "media": org.upload_poster(&posters::tango()).await?,
    });
    let tango = DemoEvent::publish(org, tango, [json!({"name": "Floor", "amount": 8, "price": "19.00"})]).await?;
    Ok([lanterns, brass, strings, organ, tango])
}

/// Plays in Prague: one on sale, one that will be, one that is being prepared, one that was called off, and a free day.
async fn publish_clockwork(api: &DemoClient, org: &DemoPartner, calendar: &Calendar) -> Result<DemoEvent, Fatal> {
    let prague = find_city(api, "Prague", "CZ").await?;
    let depot = json!({
        "name": "The Old Depot", "address": "U Elektry 12", "city": prague,
        "desc": "Trams slept here for ninety years. The rails are still in the floor, and the bar rolls on them.",
        "point": {"type": "Point", "coordinates": [14.5048, 50.1037]},
    });
    let depot = create_venue(org, depot).await?;
    let garden = json!({
        "title": {"text": "The Glass Garden", "desc": GARDEN_DESC},
        "lifetime": calendar.vevent(12, 18, 3),
        "status": "public", "venue": depot, "tags": ["theatre"], "age_rating": 12,
        "media": org.upload_poster(&posters::garden()).await?,
    });
    let parterre = json!({"name": "Parterre", "pos": 1, "amount": 80, "price": "28.00"});
    let gallery = json!({"name": "Gallery", "pos": 2, "amount": 40, "price": "16.00"});
    let garden = DemoEvent::publish(org, garden, [parterre, gallery]).await?;

    let lighthouse = json!({
        "title": {"text": "The Lighthouse Keepers", "desc": LIGHTHOUSE_DESC},
        "lifetime": calendar.vevent(150, 18, 2),
        "status": "public", "venue": depot, "tags": ["theatre"],
        "media": org.upload_poster(&posters::lighthouse()).await?,
    });
    let stalls = json!({"name": "Stalls", "amount": 120, "rules": [
        {"start": calendar.midnight_in(PRAGUE, 40), "price": "24.00"},
    ]});
    DemoEvent::publish(org, lighthouse, [stalls]).await?;

    let moon = json!({
        "title": {"text": "The Paper Moon", "desc": MOON_DESC},
        "lifetime": calendar.vevent(80, 18, 2),
        "status": "stand_by", "venue": depot, "tags": ["theatre"],
        "media": org.upload_poster(&posters::paper_moon()).await?,
    });
    DemoEvent::publish(org, moon, [json!({"name": "Stalls", "amount": 100, "price": "20.00"})]).await?;

    let puppets = json!({
        "title": {"text": "Puppets for Breakfast", "desc": PUPPETS_DESC},
        "lifetime": calendar.vevent(20, 8, 2),
        "status": "public", "venue": depot, "tags": ["theatre", "children"],
        "media": org.upload_poster(&posters::breakfast()).await?,
    });
    let puppets = DemoEvent::publish(org, puppets, [json!({"name": "Bench", "amount": 60, "price": "9.00"})]).await?;
    let open_day = json!({
        "title": {"text": "Open Day at the Depot", "desc": OPEN_DAY_DESC},
        "lifetime": calendar.vevent(33, 9, 6),
        "status": "public", "venue": depot, "tags": ["theatre", "children", "free"], "tickets_limit": 6,
        "media": org.upload_poster(&posters::tram()).await?,
    });
    let morning = json!({"name": "Morning tour", "pos": 1, "amount": 45, "price": "0.00"});
    let afternoon = json!({"name": "Afternoon tour", "pos": 2, "amount": 15, "price": "0.00"});
    DemoEvent::publish(org, open_day, [morning, afternoon]).await?;
    let path = format!("/v1/resources/events/{}", puppets.id);
    org.client.patch(&path, json!({"status": "canceled"})).await?;
    Ok(garden)
}

/// A festival in Helsinki.
async fn publish_north_light(api: &DemoClient, org: &DemoPartner, calendar: &Calendar) -> Result<DemoEvent, Fatal> {
    let helsinki = find_city(api, "Helsinki", "FI").await?;
    let island = json!({
        "name": "Saunasaari Meadow", "address": "Saunasaarentie 1", "city": helsinki,
        "desc": "An island twenty minutes from the market square. The stages stand between birches, and the last sauna is heated \
            until four.",
        "point": {"type": "Point", "coordinates": [25.0217, 60.1826]},
    });
    let island = create_venue(org, island).await?;
    let festival = json!({
        "title": {"text": "North Light Festival", "desc": FESTIVAL_DESC},
        "lifetime": calendar.vevent(200, 12, 60),
        "status": "public", "venue": island, "tags": ["festival", "open air"], "age_rating": 16, "tickets_limit": 10,
        "media": org.upload_poster(&posters::aurora()).await?,
    });
    let pass = json!({"name": "Three days", "pos": 1, "amount": 2_000, "rules": [
        {"finish": calendar.midnight_in(HELSINKI, 30), "price": "89.00"},
        {
            "start": calendar.midnight_in(HELSINKI, 30), "finish": calendar.midnight_in(HELSINKI, 150), "price": "109.00",
        },
        {"start": calendar.midnight_in(HELSINKI, 150), "price": "129.00"},
    ]});
    let saturday = json!({"name": "Saturday", "pos": 2, "amount": 1_000, "price": "49.00"});
    let camping =
        json!({"name": "Camping", "pos": 3, "amount": 400, "price": "25.00", "desc": "A place for one tent."});
    DemoEvent::publish(org, festival, [pass, saturday, camping]).await
}

/// The id of the largest city of that name.
async fn find_city(api: &DemoClient, name: &str, country: &str) -> Result<Value, Fatal> {
    let path = format!("/v1/resources/cities?suggest={name}&country={country}&sort=-population&limit=1");
    let found = api.get(&path).await?;
    Ok(found[0]["id"].clone())
}

/// Makes a venue: its id.
async fn create_venue(org: &DemoPartner, about: Value) -> Result<String, Fatal> {
    text_field(&org.client.post("/v1/resources/venues", about).await?, "id")
}
