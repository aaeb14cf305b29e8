//! Who buys.

use serde::{Deserialize, Serialize};

use crate::values::email::Email;
use crate::values::resource_ids::UserId;

/// The customer of an order: what its vendor knows of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Customer {
    /// Where the tickets go.
    #[serde(skip)]
    pub email: Option<Email>,
    /// First name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_name: Option<String>,
    /// Last name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_name: Option<String>,
    /// Telephone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mobile: Option<String>,
    /// Language, as `en` or `ru`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// The user record of the e-mail.
    #[serde(skip)]
    pub user: Option<UserId>,
}

impl Customer {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// First and last name, as far as they are known.
    pub fn full_name(&self) -> Option<String> {
        let names: Vec<&str> = [&self.first_name, &self.last_name].into_iter().flatten().map(String::as_str).collect();
        (!names.is_empty()).then(|| names.join(" "))
    }
}
