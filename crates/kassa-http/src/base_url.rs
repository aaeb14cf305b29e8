//! Where clients reach the server: urls in answers are absolute.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, Uri, header};
use kassa_domain::attachment::Hex128;
use kassa_domain::hall_map::HallMap;
use kassa_domain::partner::PartnerId;
use kassa_domain::payment::PaymentId;

use crate::app::AppState;
use crate::error::ApiError;

/// The start of every url: `--public-url`, else the host that the request names.
#[derive(Clone, Debug)]
pub(crate) struct BaseUrl(String);

impl BaseUrl {
    /// For the answers to a request to this uri.
    pub(crate) fn of(app: &AppState, uri: &Uri, headers: &HeaderMap) -> Self {
        if let Some(url) = &app.config.public_url {
            return Self(url.as_str().trim_end_matches('/').to_owned());
        }
        let named = header_text(headers, header::HOST).and_then(|host| host.parse::<Authority>().ok());
        let named = named.filter(|authority| !authority.as_str().contains('@'));
        let host = named.as_ref().or(uri.authority()).map_or("localhost", Authority::as_str);
        Self(format!("{}://{host}", client_scheme(headers)))
    }

    /// The url itself, without a slash at the end.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The url under which anybody gets a file.
    pub(crate) fn file_url(&self, token: Hex128) -> String {
        format!("{}/files/{token}", self.0)
    }

    /// The url of the page of an order, for whoever has its link.
    pub(crate) fn order_url(&self, token: &str) -> String {
        format!("{}/order/{token}", self.0)
    }

    /// The url of the page where a test says how its payment ends.
    pub(crate) fn test_payment_url(&self, token: &str, payment: PaymentId) -> String {
        format!("{}/pay/test/{token}/{payment}", self.0)
    }

    /// The url of the page that leads to Stripe, and that whoever has paid there comes back to.
    pub(crate) fn stripe_page_url(&self, token: &str, payment: PaymentId) -> String {
        format!("{}/pay/stripe/{token}/{payment}", self.0)
    }

    /// The url to which Stripe sends notices for a partner.
    pub(crate) fn stripe_notices_url(&self, partner: PartnerId) -> String {
        format!("{}/v2/services/stripe_notices/{partner}", self.0)
    }

    /// The url of a hall map's drawing.
    pub(crate) fn drawing_url(&self, map: &HallMap) -> String {
        format!("{}/v1/resources/venues/{}/maps/{}.svg", self.0, map.venue, map.id)
    }
}

impl FromRequestParts<AppState> for BaseUrl {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        Ok(Self::of(app, &parts.uri, &parts.headers))
    }
}

/// A proxy in front says by which scheme the client came; of several proxies, the first.
pub(crate) fn client_scheme(headers: &HeaderMap) -> &'static str {
    let said =
        header_text(headers, HeaderName::from_static("x-forwarded-proto")).and_then(|text| text.split(',').next());
    if said.is_some_and(|said| said.trim().eq_ignore_ascii_case("https")) { "https" } else { "http" }
}

fn header_text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn only_a_proxy_in_front_makes_the_scheme_https() {
        let named = |value: &'static str| {
            let name = HeaderName::from_static("x-forwarded-proto");
            client_scheme(&HeaderMap::from_iter([(name, HeaderValue::from_static(value))]))
        };
        assert_eq!(client_scheme(&HeaderMap::new()), "http");
        assert_eq!(
            [named("https"), named("HTTPS, http"), named("http, https"), named("gopher")],
            ["https", "https", "http", "http"]
        );
    }
}
