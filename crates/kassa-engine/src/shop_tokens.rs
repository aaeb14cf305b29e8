//! Credentials of people who buy: the token of a shop, which is public, and the link of an order, which is secret. Both
//! are made from the server's secret, and nothing of them is stored.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use hmac::Mac;
use kassa_domain::actor::ShopVisit;
use kassa_domain::event::EventId;
use kassa_domain::order::{NetworkMark, Order, OrderId};
use kassa_domain::partner::PartnerId;
use kassa_domain::refusal::CredentialFault;
use kassa_domain::widget_token::{WidgetToken, WidgetTokenId};
use kassa_domain::{Actor, ReadSet, Refusal, View, permission};
use serde::{Deserialize, Serialize};
use url::Url;

use crate::engine::Engine;
use crate::failure::Failure;
use crate::secret::SIGNATURE_BYTES;

/// Links of orders are worth nothing for another purpose.
const ORDER_LINK: &str = "link of an order";
/// Nobody finds out by trying which address an order keeps.
const NETWORK_MARK: &str = "network of a visitor";
/// The one header that tokens of shops have: `iss` says that they are of this program.
const JWT_HEADER: &str = r#"{"alg":"HS256","typ":"JWT","iss":"kassa"}"#;

/// What a token of a shop says.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ShopClaims {
    /// The partner that sells.
    p: PartnerId,
    /// The one event that it sells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    e: Option<EventId>,
    /// The id of the token, where a partner has made it and can take it back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    j: Option<WidgetTokenId>,
}

impl Engine {
    /// The token of a partner's shop: a JSON Web Token that anybody may read, `{"p": "<id of the partner>"}`.
    pub fn shop_token(&self, vendor: PartnerId) -> String {
        self.signed(&ShopClaims { p: vendor, e: None, j: None })
    }

    /// A token that a partner has made for pages of other sites: the same, with its event and its own id.
    pub fn widget_token(&self, vendor: PartnerId, token: &WidgetToken) -> String {
        self.signed(&ShopClaims { p: vendor, e: token.event, j: Some(token.id) })
    }

    fn signed(&self, claims: &ShopClaims) -> String {
        // Claims are ids, which are always written.
        let claims = serde_json::to_string(claims).unwrap_or_default();
        let signed = format!("{}.{}", BASE64.encode(JWT_HEADER), BASE64.encode(claims));
        let signature = self.secret().shop_token_mac(&signed).finalize().into_bytes();
        format!("{signed}.{}", BASE64.encode(signature))
    }

    /// What orders keep of where a visitor comes from; of all whose address is not known, the same.
    pub fn network_mark(&self, network: Option<&str>) -> NetworkMark {
        let digest = self.secret().digest(NETWORK_MARK, &[network.unwrap_or_default().as_bytes()]);
        NetworkMark::new(i64::from_be_bytes(std::array::from_fn(|at| digest[at])))
    }

    /// The visitor who shows a token of a shop, while that is open and nobody has taken the token back.
    pub async fn visitor_with(&self, token: &str) -> Result<Actor, Failure> {
        let visit = self.shop_visit(token).ok_or(Refusal::CredentialInvalid(CredentialFault::UnknownKey))?;
        let view = self.view(&ReadSet { partners: vec![visit.shop], ..ReadSet::default() }).await?;
        permission::admit_visitor(visit, &view)?;
        Ok(Actor::Visitor(visit))
    }

    /// What a token of a shop says, if it was made here. Whether it is still good is for [`Engine::visitor_with`] to say.
    pub fn shop_visit(&self, token: &str) -> Option<ShopVisit> {
        let (signed, signature) = token.rsplit_once('.')?;
        let signature = BASE64.decode(signature).ok()?;
        self.secret().shop_token_mac(signed).verify_slice(&signature).ok()?;
        let (_, claims) = signed.split_once('.')?;
        let claims: ShopClaims = serde_json::from_slice(&BASE64.decode(claims).ok()?).ok()?;
        Some(ShopVisit { shop: claims.p, event: claims.e, token: claims.j })
    }

    /// What opens an order to whoever has it: its id and 128 bits that nobody can guess, `<id>.<22 characters>`.
    pub fn order_link(&self, order: OrderId) -> String {
        format!("{order}.{}", BASE64.encode(self.secret().sign(&order.to_string(), ORDER_LINK)))
    }

    /// Where whoever has bought finds an order again, in the shop of its vendor; `None` where there is none, or its address is
    /// not known. The view has the vendor.
    pub(crate) fn order_page(&self, order: &Order, view: &View, public_url: Option<&Url>) -> Option<String> {
        let vendor = view.partners.get(order.vendor).filter(|vendor| vendor.inactivity().is_none())?;
        let base = public_url.filter(|_| vendor.profile.shop.is_open)?.as_str().trim_end_matches('/');
        Some(format!("{base}/order/{}", self.order_link(order.id)))
    }

    /// Who shows the link of an order. Whether there is such an order is for others to see.
    pub fn buyer_with(&self, link: &str) -> Result<Actor, Refusal> {
        self.order_of_link(link).map(Actor::Buyer).ok_or(CredentialFault::UnknownKey.into())
    }

    fn order_of_link(&self, link: &str) -> Option<OrderId> {
        let (order, signature) = link.split_once('.')?;
        let signature: [u8; SIGNATURE_BYTES] = BASE64.decode(signature).ok()?.try_into().ok()?;
        let order: OrderId = order.parse().ok()?;
        self.secret().verify_signature(&order.to_string(), ORDER_LINK, &signature).then_some(order)
    }
}
