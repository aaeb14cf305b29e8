//! What was told, and that the rows agree with it.

use kassa_domain::order::Order;
use kassa_domain::{Needs, View};
use kassa_store::Slice;
use kassa_store::queries::TicketsFilter;

use super::World;
use crate::play::{Known, Report};
use crate::touched::Touched;
use crate::{Trouble, books};

impl World {
    /// Takes answers for true.
    pub(super) fn learn(&mut self, heard: &[Report], touched: &mut Touched) -> Result<(), Trouble> {
        for report in heard {
            touched.add_report(report);
            self.known.learn(report);
            if let Report::Order(outcome) = report {
                self.ledger.hear(&outcome.order)?;
            }
        }
        Ok(())
    }

    pub(super) async fn learn_tickets(&mut self, touched: &Touched) -> Result<(), Trouble> {
        for event in &touched.events {
            let filter = TicketsFilter { event: *event, sets: Vec::new(), states: [true; 4], ids: None, after: -1 };
            let page = self.nodes[0].server.engine.page(filter, Slice::first(u32::MAX)).await?;
            self.known.learn_tickets(*event, page.rows);
        }
        Ok(())
    }

    /// Rows as they are now.
    pub(super) async fn look(&self, needs: &Needs) -> Result<View, Trouble> {
        Ok(self.nodes[0].server.engine.view(needs).await?)
    }

    /// Holds what was touched against what was told.
    pub(super) async fn check(&mut self, touched: &Touched) -> Result<(), Trouble> {
        let orders: Vec<_> = touched.orders.iter().map(|(_, order)| *order).collect();
        let of_them = |event| touched.events.contains(event);
        let needs = Needs {
            held_by: orders.clone(),
            orders,
            sets_of: touched.events.iter().copied().collect(),
            promocodes: self.known.promocodes.iter().filter(|row| of_them(&row.event)).map(|row| row.id).collect(),
            ..Needs::default()
        };
        let view = self.look(&needs).await?;
        for (event, order) in &touched.orders {
            self.ledger.check_order(*event, *order, &view)?;
        }
        view.sets.rows().try_for_each(|set| self.ledger.check_set(set))?;
        view.promocodes.rows().try_for_each(|promocode| self.ledger.check_promocode(promocode))
    }

    /// Counts everything again, and holds every order against what was told.
    pub(crate) async fn check_all(&mut self) -> Result<(), Trouble> {
        let server = &self.nodes[0].server;
        if let Some(found) = books::recount(server).await?.into_iter().next() {
            return Err(Trouble::new("the books do not balance", found));
        }
        let stored: Vec<Order> = server.rows().await?;
        let mut told: Vec<&Order> = self.ledger.orders().collect();
        told.sort_unstable_by_key(|order| order.id);
        let mut found: Vec<&Order> = stored.iter().collect();
        found.sort_unstable_by_key(|order| order.id);
        if let Some((told, found)) = told.iter().zip(&found).find(|(told, found)| told != found) {
            return Err(Trouble::new("an order is not as its caller was told", (told, found)));
        }
        if told.len() != found.len() {
            return Err(Trouble::new("orders are missing, or nobody knows of them", (told.len(), found.len())));
        }
        let lost = self.known.lost(&Known::all_of(server).await?);
        lost.map_or(Ok(()), |lost| Err(Trouble::new("what was told is not there", lost)))
    }
}
