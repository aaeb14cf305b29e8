//! A token of a shop as v2 shows it.

use kassa_domain::partner::PartnerId;
use kassa_domain::widget_token::WidgetToken;
use kassa_engine::Engine;
use serde::Serialize;
use utoipa::ToSchema;

use super::super::pagination::{PageRequest, list_answer};
use crate::base_url::BaseUrl;
use crate::wire::{EmptyBody, EventRef, IdRef, PartnerRef, TimeV2, WidgetTokenRef};

/// A token of a shop, and what to put into a page.
#[derive(Serialize, ToSchema)]
#[schema(as = WidgetToken)]
pub(super) struct WidgetTokenBody {
    /// The id of the token.
    id: WidgetTokenRef,
    /// The partner whose shop it opens: it sells at its prices.
    partner: PartnerRef,
    /// The one event that it sells; `null` for all.
    event: Option<EventRef>,
    /// What pages say: a JSON Web Token, which is no secret.
    #[schema(
        example = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCIsImlzcyI6Imthc3NhIn0.eyJwIjoiNjViMDZiMjQ3YjMzZTA2ZDcyMjkyNTM0In0.MEUCIQ"
    )]
    token: String,
    /// What to put into a page: the script, and the element that shows what is sold.
    #[schema(
        example = "<script async src=\"https://tickets.example.org/widget/v1.js\"></script>\n<kassa-shop token=\"…\"></kassa-shop>"
    )]
    snippet: String,
    /// When it was created.
    created_at: TimeV2,
}

impl WidgetTokenBody {
    fn new(token: &WidgetToken, partner: PartnerId, engine: &Engine, base: &BaseUrl) -> Self {
        let text = engine.widget_token(partner, token);
        let event = token.event.map(|event| format!(" event=\"{event}\"")).unwrap_or_default();
        let script = format!("<script async src=\"{}/widget/v1.js\"></script>", base.as_str());
        Self {
            id: IdRef(token.id),
            partner: IdRef(partner),
            event: token.event.map(IdRef),
            snippet: format!("{script}\n<kassa-shop{event} token=\"{text}\"></kassa-shop>"),
            token: text,
            created_at: TimeV2(token.created_at),
        }
    }
}

/// A token of a shop.
#[derive(Serialize, ToSchema)]
#[schema(as = WidgetTokenAnswer)]
pub(super) struct WidgetTokenResponse {
    /// The token.
    data: WidgetTokenBody,
    /// Always empty.
    refs: EmptyBody,
}

impl WidgetTokenResponse {
    pub(super) fn new(token: &WidgetToken, partner: PartnerId, engine: &Engine, base: &BaseUrl) -> Self {
        Self { data: WidgetTokenBody::new(token, partner, engine, base), refs: EmptyBody {} }
    }
}

list_answer! {
    /// Tokens of a shop.
    pub(super) struct WidgetTokenListResponse as WidgetTokensAnswer {
        /// The tokens of this page.
        data: Vec<WidgetTokenBody>,
        /// Always empty.
        refs: EmptyBody,
    }
}

impl WidgetTokenListResponse {
    /// The page that is asked for, of all that the partner has, newest first.
    pub(super) fn new(
        tokens: &[WidgetToken],
        partner: PartnerId,
        engine: &Engine,
        base: &BaseUrl,
        wanted: PageRequest,
    ) -> Self {
        let (total, shown) = wanted.cut(tokens.iter().rev().collect());
        let data = shown.into_iter().map(|token| WidgetTokenBody::new(token, partner, engine, base)).collect();
        Self::page(wanted, total, data, EmptyBody {})
    }
}
