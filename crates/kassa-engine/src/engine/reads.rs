//! Reads: rows, pages of lists, and sums over orders.

use std::collections::BTreeMap;

use kassa_domain::user::UserId;
use kassa_domain::view::Row as _;
use kassa_domain::{ReadSet, View};
use kassa_store::queries::{CustomerTotals, CustomerTotalsByUserQuery, CustomerTotalsQuery};
use kassa_store::{Filter, LOOKUP_KEYS_MAX, Page, PageWindow, StoreError};

use super::Engine;
use crate::caller::CallerRef;
use crate::failure::Failure;
use crate::list_turns::{ListTurn, Reader};
use crate::metrics::Limit;

impl Engine {
    /// Does some work for a reader: the lists that it reads there are counted as its own. A turn begins with the first
    /// page, and ends with the work; where others wait, also with the next page.
    pub fn read_as<T>(&self, reader: Reader, work: impl Future<Output = T>) -> impl Future<Output = T> {
        self.inner.list_turns.clone().scope(reader, work)
    }

    /// Rows as of one moment. Very many are read as a list is, and so is what goes with one, and what may be long: no
    /// list, whoever asks for it, holds up look-ups.
    pub async fn view(&self, read_set: &ReadSet) -> Result<View, Failure> {
        let keys = read_set.len();
        if keys == 0 {
            return Ok(View::default());
        }
        self.note_read_set(read_set);
        let view = self.read_view(read_set, keys).await?;
        Self::note_moments(|note| view.moments(note));
        Ok(view)
    }

    async fn read_view(&self, read_set: &ReadSet, keys: usize) -> Result<View, Failure> {
        let store = &self.inner.store;
        if ListTurn::is_held() || keys > LOOKUP_KEYS_MAX {
            ListTurn::begin().await?;
            return Box::pin(self.view_in_turn(read_set)).await;
        }
        if self.inner.short_events.cover(read_set) {
            return self.map_store_result(store.view(read_set).await);
        }
        ListTurn::begin().await?;
        let view = Box::pin(self.view_in_turn(read_set)).await;
        // What comes next may wait for others.
        ListTurn::end();
        let view = view?;
        self.inner.short_events.learn(read_set, &view);
        Ok(view)
    }

    async fn view_in_turn(&self, read_set: &ReadSet) -> Result<View, Failure> {
        let (store, read_set) = (self.inner.store.clone(), read_set.clone());
        self.map_store_result(ListTurn::read_out(async move { store.view_for_list(&read_set).await }).await)
    }

    /// Rows that are read before a command, and whether its precondition holds.
    pub(crate) async fn view_with_precondition(
        &self,
        by: CallerRef<'_>,
        mut read_set: ReadSet,
    ) -> Result<(View, bool), Failure> {
        by.conditions().read_set(&mut read_set);
        let view = self.view(&read_set).await?;
        let held = by.conditions().are_met(&view);
        Ok((view, held))
    }

    /// A page of a list.
    pub async fn page<F: Filter>(&self, filter: F, slice: PageWindow) -> Result<Page<F::Row>, Failure> {
        self.note_list();
        ListTurn::begin().await?;
        let store = self.inner.store.clone();
        let page = ListTurn::read_out(async move { store.page(filter, slice).await }).await;
        let page = self.map_store_result(page)?;
        Self::note_moments(|note| page.rows.iter().for_each(|row| row.moments(note)));
        Ok(page)
    }

    /// What a user has bought.
    pub async fn crm(&self, query: CustomerTotalsQuery) -> Result<CustomerTotals, Failure> {
        self.note_list();
        ListTurn::begin().await?;
        let store = self.inner.store.clone();
        self.map_store_result(ListTurn::read_out(async move { store.customer_totals(query).await }).await)
    }

    /// What several users have bought; those without any order are missing.
    pub async fn crm_of(&self, query: CustomerTotalsByUserQuery) -> Result<BTreeMap<UserId, CustomerTotals>, Failure> {
        self.note_list();
        ListTurn::begin().await?;
        let store = self.inner.store.clone();
        self.map_store_result(ListTurn::read_out(async move { store.customer_totals_by_user(query).await }).await)
    }

    /// Logs an outage of the database when it begins and when it ends.
    pub(crate) fn map_store_result<T>(&self, result: Result<T, StoreError>) -> Result<T, Failure> {
        let outage = &self.inner.shared.outage;
        let found = result.map_err(|error| {
            if error == StoreError::ReadTimeout {
                self.limit_hits().record(Limit::ReadTime);
            }
            outage.record_error(error)
        })?;
        outage.record_success();
        Ok(found)
    }
}
