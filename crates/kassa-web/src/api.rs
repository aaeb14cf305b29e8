//! The interface, as pages ask it.

use kassa_http::AppState;
use kassa_http::http::request::Builder;
use kassa_http::http::{HeaderMap, StatusCode, header};
use kassa_http::in_process::{InProcessClient, Origin};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::PageError;
use crate::form::encoded;
use crate::key_waits::KeyWaits;
use crate::model::{EventData, PartnerData};
use crate::request::PageRequest;
use crate::seat_data::{Answer, AvailabilityData, LayoutData, MapData};

/// Events of a list, at most: the newest.
const LISTED_EVENTS_MAX: usize = 500;

/// What pages show of an event in a list.
pub(crate) const CARD_FIELDS: &str = "id,status,lifetime,title{text},translations{lang,title},age_rating,media{cover{url},cover_small{url}},\
    org{id,name},venue{id,name,city{name,timezone}},\
    sets{id,name,amount,amount_vacant,price,current_rule{id},rules{cal,price}}";
/// What the page of an event shows of it.
pub(crate) const EVENT_FIELDS: &str = "id,status,lifetime,hold_minutes,title{text,desc},translations{lang,title,desc},age_rating,updated_at,\
    media{cover{url},cover_small{url}},org{id,name,desc,roles,shop{open,payments,origins,accent,about,email,phone,header{url},terms{text,file{url},since}},\
    media{logo{url}},contact{www}},\
    venue{id,name,desc,address,point,city{name,timezone},country{name}},map,tickets_limit,single_seats,\
    buyer_name,buyer_phone,questions{id,text,kind,per,options,required},name_change_until,\
    sets{id,name,desc,amount,amount_vacant,price,with_seats,current_rule{id},rules{cal,price}}";
/// What pages show of a partner.
const PARTNER_FIELDS: &str = "id,name,desc,roles,shop{open,payments,origins,accent,about,email,phone,header{url},terms{text,file{url},since}},\
    media{logo{url}},contact{www}";

/// Who sells what a page shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Seller {
    /// Each event's organizer.
    Organizer,
    /// An agent, by its id.
    Agent(String),
}

impl Seller {
    /// The same, where an organizer that sells its own event is no agent.
    pub(crate) fn unless_organizer_of(self, event: &EventData) -> Self {
        match self {
            Self::Agent(agent) if event.org.seen().is_some_and(|organizer| organizer.id == agent) => Self::Organizer,
            Self::Organizer | Self::Agent(_) => self,
        }
    }
}

/// Why the interface does not do something.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Refused {
    /// The word for it that never changes.
    pub(crate) code: String,
    /// The fields that are wrong.
    #[serde(default)]
    pub(crate) details: Vec<WrongField>,
}

/// A field that is wrong.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct WrongField {
    /// Its path in the body: `$.settings.customer.email`.
    pub(crate) field: String,
}

/// The interface.
#[derive(Clone)]
pub(crate) struct Api {
    client: InProcessClient,
    app: AppState,
}

impl Api {
    pub(crate) fn new(client: InProcessClient, app: AppState) -> Self {
        Self { client, app }
    }

    /// The interface itself.
    pub(crate) fn client(&self) -> &InProcessClient {
        &self.client
    }

    /// An event at a seller's prices, in the language of who asks.
    pub(crate) async fn event(&self, asked: &PageRequest, id: &str, seller: &Seller) -> Result<EventData, PageError> {
        let path = format!("/v1/resources/events/{id}?fields-schema={}", encoded(EVENT_FIELDS));
        match self.get(&asked.origin, seller, &path).await {
            Err(PageError::NotFound) if self.is_canceled(id).await? => Err(PageError::Canceled),
            answer => answer.map(|event: EventData| event.in_language(asked.language)),
        }
    }

    /// The id of the organizer of an event.
    pub(crate) async fn organizer_of(&self, origin: &Origin, event: &str) -> Result<String, PageError> {
        #[derive(Deserialize)]
        struct Organized {
            org: String,
        }
        let path = format!("/v1/resources/events/{event}?fields-schema=org");
        self.get(origin, &Seller::Organizer, &path).await.map(|event: Organized| event.org)
    }

    /// The events that are public and not over: of everybody, of an organizer, or those of an agent.
    pub(crate) async fn upcoming(
        &self,
        asked: &PageRequest,
        organizer: Option<&str>,
        seller: &Seller,
    ) -> Result<Vec<EventData>, PageError> {
        let fields = encoded(CARD_FIELDS);
        let mut path = format!("/v1/resources/events?status=public&limit={LISTED_EVENTS_MAX}&fields-schema={fields}");
        if let Some(organizer) = organizer {
            path.push_str("&org=");
            path.push_str(organizer);
        }
        if let Seller::Agent(agent) = seller {
            let ids = self.sold_by(agent).await?;
            if ids.is_empty() {
                return Ok(Vec::new());
            }
            path.push_str("&ids=");
            path.push_str(&ids.join(","));
        }
        let events: Vec<EventData> = self.get(&asked.origin, seller, &path).await?;
        Ok(events.into_iter().map(|event| event.in_language(asked.language)).collect())
    }

    /// What is left of an event.
    pub(crate) async fn availability(&self, origin: &Origin, event: &str) -> Result<AvailabilityData, PageError> {
        let path = format!("/v2/resources/events/{event}/availability");
        self.get(origin, &Seller::Organizer, &path).await.map(|answer: Answer<_>| answer.data)
    }

    /// The names of its sets and seats.
    pub(crate) async fn seat_layout(&self, origin: &Origin, event: &str) -> Result<LayoutData, PageError> {
        let path = format!("/v2/resources/events/{event}/availability/layout");
        self.get(origin, &Seller::Organizer, &path).await.map(|answer: Answer<_>| answer.data)
    }

    /// A hall map: only when it was changed, or all of it.
    pub(crate) async fn hall_map(
        &self,
        origin: &Origin,
        [venue, map]: [&str; 2],
        is_whole: bool,
    ) -> Result<MapData, PageError> {
        let fields = if is_whole { "" } else { "?fields-schema=updated_at" };
        self.get(origin, &Seller::Organizer, &format!("/v1/resources/venues/{venue}/maps/{map}{fields}")).await
    }

    /// A partner, as everybody sees it.
    pub(crate) async fn partner(&self, origin: &Origin, id: &str) -> Result<PartnerData, PageError> {
        let path = format!("/v1/resources/partners/{id}?fields-schema={}", encoded(PARTNER_FIELDS));
        self.get(origin, &Seller::Organizer, &path).await
    }

    /// Asks for something, or for something to be done, with a credential. What the interface refuses is an answer.
    pub(crate) async fn ask<T: DeserializeOwned>(
        &self,
        origin: &Origin,
        (method, path): (&str, &str),
        credential: &str,
        (key, body): (Option<&str>, Option<&Value>),
    ) -> Result<Result<T, Refused>, PageError> {
        let mut waits = KeyWaits::default();
        loop {
            let mut request = origin.request(method, path).header(header::AUTHORIZATION, credential);
            if let Some(key) = key {
                request = request.header("idempotency-key", key);
            }
            let answer: Result<T, Refused> = self.exchange(request, path, body).await?;
            let Err(refused) = answer else { return Ok(answer) };
            if !waits.wait_after(&refused.code).await {
                return Ok(Err(refused));
            }
        }
    }

    /// Has something done that anybody may ask for.
    pub(crate) async fn ask_openly<T: DeserializeOwned>(
        &self,
        origin: &Origin,
        (method, path): (&str, &str),
        body: &Value,
    ) -> Result<Result<T, Refused>, PageError> {
        self.exchange(origin.request(method, path), path, Some(body)).await
    }

    async fn exchange<T: DeserializeOwned>(
        &self,
        request: Builder,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Result<T, Refused>, PageError> {
        let bytes = body.map(Value::to_string).unwrap_or_default().into_bytes();
        let request = request.header(header::CONTENT_TYPE, "application/json").body(bytes);
        let request = request.map_err(|error| internal(path, &error))?;
        let answer = self.client.call(request).await.map_err(|error| internal(path, &error))?;
        if answer.status().is_success() {
            return serde_json::from_slice(answer.body()).map(Ok).map_err(|error| internal(path, &error));
        }
        if answer.status().is_client_error() && PageError::of_status(answer.status()) == PageError::Internal {
            return serde_json::from_slice(answer.body()).map(Err).map_err(|error| internal(path, &error));
        }
        Err(refusal(path, answer.status(), answer.headers().get(header::RETRY_AFTER)))
    }

    /// A file, with what its answer says of it.
    pub(crate) async fn file(
        &self,
        origin: &Origin,
        path: &str,
        credential: &str,
    ) -> Result<(HeaderMap, Vec<u8>), PageError> {
        let request = origin.request("GET", path).header(header::AUTHORIZATION, credential).body(Vec::new());
        let request = request.map_err(|error| internal(path, &error))?;
        let answer = self.client.call(request).await.map_err(|error| internal(path, &error))?;
        let (head, bytes) = answer.into_parts();
        if head.status == StatusCode::OK {
            return Ok((head.headers, bytes));
        }
        // What the order has not, such as tickets before they are paid, is not there.
        if head.status.is_client_error() && PageError::of_status(head.status) == PageError::Internal {
            return Err(PageError::NotFound);
        }
        Err(refusal(path, head.status, head.headers.get(header::RETRY_AFTER)))
    }

    /// Asks as a visitor of a seller's shop.
    async fn get<T: DeserializeOwned>(&self, origin: &Origin, seller: &Seller, path: &str) -> Result<T, PageError> {
        let mut request = origin.request("GET", path);
        if let Some(credential) = self.credential(seller) {
            request = request.header(header::AUTHORIZATION, credential);
        }
        let request = request.body(Vec::new()).map_err(|error| internal(path, &error))?;
        let answer = self.client.call(request).await.map_err(|error| internal(path, &error))?;
        if answer.status() != StatusCode::OK {
            return Err(refusal(path, answer.status(), answer.headers().get(header::RETRY_AFTER)));
        }
        serde_json::from_slice(answer.body()).map_err(|error| internal(path, &error))
    }
}

fn internal(path: &str, error: &dyn std::fmt::Display) -> PageError {
    tracing::error!(path, %error, "a page could not be made");
    PageError::Internal
}

/// What a page says when the interface has refused. An id that is none is not found.
fn refusal(path: &str, status: StatusCode, retry_after: Option<&header::HeaderValue>) -> PageError {
    let wait = retry_after.and_then(|value| value.to_str().ok()?.parse().ok());
    match (status, PageError::of_status(status)) {
        (StatusCode::BAD_REQUEST | StatusCode::FORBIDDEN, _) => PageError::NotFound,
        (_, PageError::Busy { retry_after }) => PageError::Busy { retry_after: wait.unwrap_or(retry_after) },
        (_, PageError::Internal) => internal(path, &status),
        (
            _,
            error @ (PageError::NotFound
            | PageError::Canceled
            | PageError::WrongMethod
            | PageError::TooLarge
            | PageError::CrossSite
            | PageError::BadToken
            | PageError::ShopClosed),
        ) => error,
    }
}

mod seller {
    //! How prices of a seller are asked for, and what it sells or sold.

    use kassa_domain::ReadSet;
    use kassa_domain::event::{Event, EventId, EventStatus};
    use kassa_domain::partner::PartnerId;
    use kassa_domain::set::TicketSet;
    use kassa_engine::Failure;
    use kassa_store::queries::SellableEventsFilter;
    use kassa_store::{PageWindow, RowCount};

    use super::{Api, PageError, Seller};

    /// Events of an agent, at most: the newest.
    const SOLD_EVENTS_MAX: u32 = 200;

    impl Api {
        /// Whether an event was called off, which the interface shows to its organizer only. Of such an event pages tell
        /// that and its title, and nothing else.
        pub(super) async fn is_canceled(&self, id: &str) -> Result<bool, PageError> {
            self.canceled(id).await.map(|event| event.is_some())
        }

        /// The title of an event that was called off, if tickets of it had been in orders: others may never have been
        /// public.
        pub(crate) async fn canceled_title(&self, id: &str) -> Result<Option<String>, PageError> {
            let Some(event) = self.canceled(id).await? else { return Ok(None) };
            let read_set = ReadSet { sets_of: vec![event.id], ..ReadSet::default() };
            let view = self.app.engine.view(&read_set).await.map_err(|failure| busy_or_broken(&failure))?;
            Ok(view.sets.rows().any(TicketSet::has_sold).then_some(event.details.title))
        }

        /// An event that was called off.
        async fn canceled(&self, id: &str) -> Result<Option<Event>, PageError> {
            let Ok(id) = id.parse::<EventId>() else { return Ok(None) };
            let read_set = ReadSet { events: vec![id], ..ReadSet::default() };
            let view = self.app.engine.view(&read_set).await.map_err(|failure| busy_or_broken(&failure))?;
            let event = view.events.get(id).filter(|event| event.status == EventStatus::Canceled && !event.removed);
            Ok(event.cloned())
        }

        /// What is sent to act as a visitor of an agent's shop: everybody sees the prices of organizers.
        pub(super) fn credential(&self, seller: &Seller) -> Option<String> {
            let Seller::Agent(agent) = seller else { return None };
            Some(format!("widget {}", self.app.engine.shop_token(agent.parse().ok()?)))
        }

        /// The ids of the events that an agent sells.
        pub(super) async fn sold_by(&self, agent: &str) -> Result<Vec<String>, PageError> {
            let agent: PartnerId = agent.parse().map_err(|_| PageError::NotFound)?;
            let engine = &self.app.engine;
            let window = PageWindow { limit: SOLD_EVENTS_MAX, offset: 0, count: RowCount::None };
            let page = engine.page(SellableEventsFilter::on_sale(vec![agent], engine.now()), window).await;
            let page = page.map_err(|failure| busy_or_broken(&failure))?;
            Ok(page.rows.iter().map(|event| event.id.to_string()).collect())
        }
    }

    fn busy_or_broken(failure: &Failure) -> PageError {
        tracing::warn!(%failure, "what is sold could not be read");
        PageError::Busy { retry_after: 2 }
    }
}
