//! What is known of a route before its handler runs. Each endpoint says it beside its `handle`, as `ROUTE`; whatever
//! stands around the handlers looks it up in the [`RouteTable`], once for each request.

mod api_routes;
mod deprecation;
mod resource_kind;
mod table;

use axum::http::Method;
use kassa_domain::Id;
use kassa_domain::precondition::ResourceRef;

pub(crate) use api_routes::{ApiRoutes, endpoints};
pub(crate) use deprecation::Deprecation;
pub(crate) use resource_kind::{FieldKind, FieldTable, ResourceKind, find_field, has_field};
pub(crate) use table::{ErrorFormat, METHODS, MatchedRoute, RouteTable, method_index};

/// What is known of a route: of one method of a path.
#[derive(Debug)]
pub(crate) struct Route {
    /// Whether it looks at credentials.
    pub(crate) access: Access,
    /// The resource that its path names last: the row that `If-Match` is about.
    pub(crate) resource: Option<ResourceType>,
    /// Whether its successful response has an entity tag of its own.
    pub(crate) has_entity_tag: bool,
    /// What its successful response shows: one resource of this kind, or a list of them. Only of what `fields-schema`
    /// can be applied to.
    pub(crate) shows: Option<&'static ResourceKind>,
    /// Where the event is found that the request is about.
    pub(crate) event: EventSource,
    /// The longest body that it takes.
    pub(crate) body_limit: BodyLimit,
    /// How often it can be called.
    pub(crate) rate_limit: Option<RateLimit>,
    /// Whether its response is compressed for clients that take that.
    pub(crate) may_be_compressed: bool,
    /// How long its response may be.
    pub(crate) answer_length: AnswerLength,
    /// Whether its response to a GET may be kept in memory: it is made of rows that are read by key, or as pages of lists,
    /// and of nothing else that changes.
    pub(crate) is_kept: bool,
    /// Since when clients should leave it, if they should: its answers and its description say so.
    pub(crate) deprecation: Option<Deprecation>,
}

/// How long a response may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnswerLength {
    /// It shows one thing, which has bounds.
    Short,
    /// It shows one thing with very many parts, or few.
    Unbounded,
    /// It is a list.
    List,
    /// It is short, but takes much work, and changes nothing, whatever its method says.
    Computed,
}

/// Whether a route looks at credentials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// At those that are given. Whether one is needed, the handler says.
    Credential,
    /// Whether those that are given are good, and no further: nobody acts by them, and the response is for this caller
    /// alone.
    Checked,
    /// Not at all: it begins or ends a session, and its response is for this caller alone.
    Session,
    /// Not at all: its response is the same for everybody.
    Public,
}

/// A type of resource that a path can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ResourceType {
    ApiKey,
    Attachment,
    Deal,
    Event,
    HallMap,
    Order,
    Partner,
    Payment,
    Promocode,
    Promotion,
    Refund,
    Set,
    User,
    Venue,
    Webhook,
}

/// Where the event is found that a request is about: the record of its idempotency key is stored with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EventSource {
    /// It is about no event.
    None,
    /// The first id of the path is that of the event, or of something that belongs to it.
    Path,
    /// The body names the event, or something that belongs to it.
    Body,
}

/// The longest body that a route takes: the configuration says how many bytes that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyLimit {
    Json,
    HallMap,
    Attachment,
}

/// A limit on how often something can be done, besides that of each API key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RateLimit {
    LogIn,
    Registration,
    PasswordReset,
    PromocodeCheck,
    Export,
    WebhookTest,
    /// Only of visitors of shops.
    ShopOrder,
    /// Only of those who have the link of an order.
    ShopChange,
    OrderLinks,
}

impl Route {
    /// A route of which nothing special is known: it looks at credentials, takes a JSON body, and shows no resource.
    pub(crate) const fn new() -> Self {
        Self {
            access: Access::Credential,
            resource: None,
            has_entity_tag: false,
            shows: None,
            event: EventSource::None,
            body_limit: BodyLimit::Json,
            rate_limit: None,
            may_be_compressed: true,
            answer_length: AnswerLength::Short,
            is_kept: false,
            deprecation: None,
        }
    }

    /// One whose response is kept in memory until a row that it was made of changes.
    pub(crate) const fn kept(self) -> Self {
        Self { is_kept: true, ..self }
    }

    /// Whether a request may change something, as far as is known of its route.
    pub(crate) fn may_change(route: Option<&Self>, method: &Method) -> bool {
        !method.is_safe() && route.is_none_or(|route| route.answer_length != AnswerLength::Computed)
    }

    /// One that clients should leave.
    pub(crate) const fn deprecated(self, deprecation: Deprecation) -> Self {
        Self { deprecation: Some(deprecation), ..self }
    }

    /// One that does not look at credentials, or not as others do.
    pub(crate) const fn access(self, access: Access) -> Self {
        Self { access, ..self }
    }

    /// One whose path ends with the id of a resource. A read of it has an entity tag.
    pub(crate) const fn resource(self, resource: ResourceType) -> Self {
        Self { resource: Some(resource), has_entity_tag: true, ..self }
    }

    /// One that shows a single thing that no row is expected of: it has an entity tag all the same.
    pub(crate) const fn tagged(self) -> Self {
        Self { has_entity_tag: true, ..self }
    }

    /// One that shows resources of this kind.
    pub(crate) const fn shows(self, kind: &'static ResourceKind) -> Self {
        Self { shows: Some(kind), ..self }
    }

    /// One that is about an event.
    pub(crate) const fn event(self, event: EventSource) -> Self {
        Self { event, ..self }
    }

    /// One that takes other bodies than most.
    pub(crate) const fn body_limit(self, body_limit: BodyLimit) -> Self {
        Self { body_limit, ..self }
    }

    /// One that can be called only so often.
    pub(crate) const fn rate_limit(self, rate_limit: RateLimit) -> Self {
        Self { rate_limit: Some(rate_limit), ..self }
    }

    /// One that answers with a list.
    pub(crate) const fn list(self) -> Self {
        Self { answer_length: AnswerLength::List, ..self }
    }

    /// One that shows a thing with any number of parts.
    pub(crate) const fn unbounded(self) -> Self {
        Self { answer_length: AnswerLength::Unbounded, ..self }
    }

    /// One that works something out, and changes nothing.
    pub(crate) const fn computed(self) -> Self {
        Self { answer_length: AnswerLength::Computed, ..self }
    }

    /// One whose response is sent as it is.
    pub(crate) const fn uncompressed(self) -> Self {
        Self { may_be_compressed: false, ..self }
    }
}

impl ResourceType {
    /// The row that an id names, as it stands in a path; `None` for what is no id.
    pub(crate) fn resource_ref(self, id: &str) -> Option<ResourceRef> {
        fn of<K>(variant: fn(Id<K>) -> ResourceRef, id: &str) -> Option<ResourceRef> {
            id.parse().ok().map(variant)
        }
        match self {
            Self::ApiKey => of(ResourceRef::ApiKey, id),
            Self::Attachment => of(ResourceRef::Attachment, id),
            Self::Deal => of(ResourceRef::Deal, id),
            Self::Event => of(ResourceRef::Event, id),
            Self::HallMap => of(ResourceRef::HallMap, id),
            Self::Order => of(ResourceRef::Order, id),
            Self::Partner => of(ResourceRef::Partner, id),
            Self::Payment => of(ResourceRef::Payment, id),
            Self::Promocode => of(ResourceRef::Promocode, id),
            Self::Promotion => of(ResourceRef::Promotion, id),
            Self::Refund => of(ResourceRef::Refund, id),
            Self::Set => of(ResourceRef::Set, id),
            Self::User => of(ResourceRef::User, id),
            Self::Venue => of(ResourceRef::Venue, id),
            Self::Webhook => of(ResourceRef::Webhook, id),
        }
    }
}
