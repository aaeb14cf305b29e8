//! Prices for groups.

use serde_json::json;

use super::calendar::Calendar;
use super::catalogue::DemoCatalogue;
use super::partners::DemoPartners;
use crate::error::Fatal;

/// Makes the promotion of the festival: passes are cheaper for four and more.
pub(super) async fn create_promotions(
    partners: &DemoPartners,
    catalogue: &DemoCatalogue,
    calendar: &Calendar,
) -> Result<(), Fatal> {
    let festival = &catalogue.festival;
    let groups = json!({
        "lifetime": {"finish": calendar.day(60)}, "sets": [festival.set_id("Three days")?], "by": "count",
        "kind": "percentage", "levels": [{"from": 4, "value": "5%"}, {"from": 8, "value": "10%"}],
    });
    let path = format!("/v1/resources/events/{}/promotions", festival.id);
    partners.north_light.client.post(&path, groups).await.map(drop)
}
