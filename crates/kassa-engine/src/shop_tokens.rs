//! Credentials of people who buy: the token of a shop, which is public, and the link of an order, which is secret. Both
//! are made from the server's secret, and nothing of them is stored.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use hmac::Mac;
use kassa_domain::order::{Order, OrderId};
use kassa_domain::partner::PartnerId;
use kassa_domain::refusal::CredentialFault;
use kassa_domain::{Actor, ReadSet, Refusal, View, permission};
use serde::{Deserialize, Serialize};
use url::Url;

use crate::engine::Engine;
use crate::failure::Failure;
use crate::secret::SIGNATURE_BYTES;

/// Links of orders are worth nothing for another purpose.
const ORDER_LINK: &str = "link of an order";
/// The one header that tokens of shops have: `iss` says that they are of this program.
const JWT_HEADER: &str = r#"{"alg":"HS256","typ":"JWT","iss":"kassa"}"#;

/// What a token of a shop says.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ShopClaims {
    /// The id of the partner that sells.
    p: String,
}

impl Engine {
    /// The token of a partner's shop: a JSON Web Token that anybody may read, `{"p": "<id of the partner>"}`.
    pub fn shop_token(&self, vendor: PartnerId) -> String {
        let signed = format!("{}.{}", BASE64.encode(JWT_HEADER), BASE64.encode(format!(r#"{{"p":"{vendor}"}}"#)));
        let signature = self.secret().shop_token_mac(&signed).finalize().into_bytes();
        format!("{signed}.{}", BASE64.encode(signature))
    }

    /// The visitor who shows a token of a shop, while that is open.
    pub async fn visitor_with(&self, token: &str) -> Result<Actor, Failure> {
        let vendor = self.vendor_of(token).ok_or(Refusal::CredentialInvalid(CredentialFault::UnknownKey))?;
        let view = self.view(&ReadSet { partners: vec![vendor], ..ReadSet::default() }).await?;
        permission::admit_visitor(vendor, &view)?;
        Ok(Actor::Visitor(vendor))
    }

    /// The partner that a token names, if it was made here.
    fn vendor_of(&self, token: &str) -> Option<PartnerId> {
        let (signed, signature) = token.rsplit_once('.')?;
        let signature = BASE64.decode(signature).ok()?;
        self.secret().shop_token_mac(signed).verify_slice(&signature).ok()?;
        let (_, claims) = signed.split_once('.')?;
        let claims: ShopClaims = serde_json::from_slice(&BASE64.decode(claims).ok()?).ok()?;
        claims.p.parse().ok()
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
