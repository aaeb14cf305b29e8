//! Who sells: organizers and agents, each with a user, an API key and a logo.

use kassa_domain::api_key::ApiKeyId;
use serde_json::{Value, json};

use super::client::{DemoClient, text_field};
use super::folder::PartnerLogin;
use super::picture::Drawing;
use super::posters;
use crate::error::Fatal;

/// The password of every user of the demo.
pub(super) const PASSWORD: &str = "kassa-demo";

/// All partners of the demo.
pub(super) struct DemoPartners {
    /// An organizer of concerts.
    pub(super) harbour: DemoPartner,
    /// An organizer of plays.
    pub(super) clockwork: DemoPartner,
    /// An organizer of a festival, which sells for others, too.
    pub(super) north_light: DemoPartner,
    /// An agent.
    pub(super) city_tickets: DemoPartner,
    /// Another agent.
    pub(super) weekend_guide: DemoPartner,
}

impl DemoPartners {
    /// Registers all of them.
    pub(super) async fn register_all(api: &DemoClient) -> Result<Self, Fatal> {
        let harbour = json!({
            "name": "Harbour Hall", "roles": ["org"], "tags": ["music"],
            "desc": "Concerts by the water, and now and then on it.",
            "contact": {"www": "https://harbour.example.org", "email": "office@harbour.example.org", "phones": ["+49 40 555 0100"]},
            "legal": {"type": "de/gmbh", "detail": {"name": "Harbour Hall GmbH", "address": "Am Kaispeicher 5, 20457 Hamburg"}},
        });
        let clockwork = json!({
            "name": "Clockwork Theatre", "roles": ["org"], "tags": ["theatre"],
            "desc": "New plays in an old tram depot.",
            "contact": {"www": "https://clockwork.example.org"},
            // A proposal that gives it this much is accepted at once.
            "standard_term": {"org": 90, "extra": 10, "pfc": false},
        });
        let north_light = json!({
            "name": "North Light", "roles": ["org", "agent"], "tags": ["music", "festival"],
            "desc": "Three days of music where the nights are short.",
            "contact": {"www": "https://northlight.example.org"},
        });
        let city_tickets = json!({
            "name": "City Tickets", "roles": ["agent"], "desc": "Box offices in forty towns.",
            "contact": {"www": "https://city.example.org"},
        });
        let weekend_guide = json!({
            "name": "Weekend Guide", "roles": ["agent"], "desc": "What to do from Friday to Sunday.",
            "contact": {"www": "https://weekend.example.org"},
        });
        Ok(Self {
            harbour: DemoPartner::register(api, "harbour@example.org", harbour, &posters::harbour_sign()).await?,
            clockwork: DemoPartner::register(api, "clockwork@example.org", clockwork, &posters::clockwork_sign())
                .await?,
            north_light: DemoPartner::register(api, "north@example.org", north_light, &posters::north_sign()).await?,
            city_tickets: DemoPartner::register(api, "city@example.org", city_tickets, &posters::city_sign()).await?,
            weekend_guide: DemoPartner::register(api, "weekend@example.org", weekend_guide, &posters::weekend_sign())
                .await?,
        })
    }
}

/// A partner that acts with its API key.
pub(super) struct DemoPartner {
    /// The interface, with the partner's key.
    pub(super) client: DemoClient,
    /// The partner's id.
    pub(super) id: String,
    email: &'static str,
    name: String,
    key: ApiKeyId,
}

impl DemoPartner {
    /// Registers a user, who makes the partner and a key for it; from there on the key does.
    async fn register(api: &DemoClient, email: &'static str, about: Value, sign: &Drawing) -> Result<Self, Fatal> {
        api.post("/v1/resources/users", json!({"email": email, "password": PASSWORD})).await?;
        let user = api.log_in(email, PASSWORD).await?;
        let partner = user.post("/v1/resources/partners", about).await?;
        let id = text_field(&partner, "id")?;
        let key = user.post(&format!("/v1/resources/partners/{id}/api_keys"), json!({"name": "demo"})).await?;
        let api = api.with_key(&text_field(&key, "key")?);
        let partner =
            Self { client: api, id, email, name: text_field(&partner, "name")?, key: text_field(&key, "id")?.parse()? };
        let logo = partner.upload(sign, posters::SIGN_WIDTH, 1).await?;
        let path = format!("/v1/resources/partners/{}", partner.id);
        // Nobody has this account: it is the example of the standard of such numbers.
        let account = json!({"iban": "DE89370400440532013000", "holder": partner.name, "days": 7});
        let shop = json!({"open": true, "payments": ["TEST", "TRANSFER", "DOOR"], "transfer": account});
        partner.client.patch(&path, json!({"media": {"logo": logo}, "shop": shop})).await?;
        Ok(partner)
    }

    /// Uploads a poster, large and small: what an event says of its pictures.
    pub(super) async fn upload_poster(&self, poster: &Drawing) -> Result<Value, Fatal> {
        let (large, small) = (
            self.upload(poster, posters::POSTER_WIDTH, 2).await?,
            self.upload(poster, posters::POSTER_WIDTH, 1).await?,
        );
        Ok(json!({"cover": large, "cover_small": small}))
    }

    /// Uploads a drawing: the id of the attachment.
    async fn upload(&self, drawing: &Drawing, width: i32, scale: i32) -> Result<String, Fatal> {
        let attachment = self.client.upload("image/png", drawing.png(width, scale)?).await?;
        text_field(&attachment, "id")
    }

    /// How to act for it.
    pub(super) fn login(&self, role: &str) -> PartnerLogin {
        PartnerLogin { name: self.name.clone(), role: role.to_owned(), email: self.email.to_owned(), key: self.key }
    }
}
