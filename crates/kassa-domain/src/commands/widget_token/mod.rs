//! Commands on tokens of shops.

mod create;
mod revoke;

pub use create::CreateWidgetToken;
pub use revoke::RevokeWidgetToken;

use crate::context::Context;
use crate::model::change::{ChangeType, FactName, Facts};
use crate::model::partner::Partner;
use crate::view::View;

/// States that the tokens of a partner are others now, and puts its row.
fn put(mut partner: Partner, cx: &mut Context<'_>, view: &mut View) {
    cx.state(&mut partner, ChangeType::PartnerChanged, Facts::none().hidden(FactName::Profile), view);
    view.partners.put(partner);
}
