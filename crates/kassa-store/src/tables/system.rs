//! The rows of the installation: writers, counters, settings.

use kassa_domain::ShardTag;
use kassa_domain::node::{InstallationSetting, InstallationSettingName, Node, SharedCounter, SharedCounterName};

use crate::cell::Cell;
use crate::error::StoreError;
use crate::rows::{RowKey, read_time, table};

impl RowKey for u16 {
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        out.push(i64::from(*self).into());
    }

    /// All that a lane writes is in one place, and so is its own row.
    fn shard_tag(&self) -> Option<ShardTag> {
        ShardTag::from_i64(i64::from(*self))
    }
}

table! { Node, "nodes", |row, source| {
    ShardKey Int "number": number = source.int_as()?, i64::from(row.number);
    Mutable Int "last_id": last_id = source.int()?, row.last_id;
    Mutable Int "next_order_number": next_order_number = source.int()?, row.next_order_number;
    Mutable Int "order_numbers_end": order_numbers_end = source.int()?, row.order_numbers_end;
    Mutable Int "epoch": epoch = source.int()?, row.epoch;
    Mutable Int "batches": batches = source.int()?, row.batches;
    Mutable Int "lease_till": lease_till = read_time(source)?, row.lease_till.ms();
} => Node { number, last_id, next_order_number, order_numbers_end, epoch, batches, lease_till } }

impl RowKey for SharedCounterName {
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        out.push(counter_name(*self).into());
    }
}

fn counter_name(name: SharedCounterName) -> &'static str {
    match name {
        SharedCounterName::OrderNumber => "order_number",
    }
}

fn read_counter_name(text: &str) -> Result<SharedCounterName, StoreError> {
    match text {
        "order_number" => Ok(SharedCounterName::OrderNumber),
        other => Err(StoreError::Corrupt(format!("counter {other}"))),
    }
}

table! { SharedCounter, "counters", |row, source| {
    Key Text "name": name = read_counter_name(&source.text()?)?, counter_name(row.name);
    Mutable Int "next": next = source.int()?, row.next;
} => SharedCounter { name, next } }

impl RowKey for InstallationSettingName {
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        out.push(setting_name(*self).into());
    }
}

fn setting_name(name: InstallationSettingName) -> &'static str {
    match name {
        InstallationSettingName::SecretFingerprint => "secret_fingerprint",
        InstallationSettingName::OrderIndex => "order_index",
        InstallationSettingName::Backups => "backups",
    }
}

fn read_setting_name(text: &str) -> Result<InstallationSettingName, StoreError> {
    match text {
        "secret_fingerprint" => Ok(InstallationSettingName::SecretFingerprint),
        "order_index" => Ok(InstallationSettingName::OrderIndex),
        "backups" => Ok(InstallationSettingName::Backups),
        other => Err(StoreError::Corrupt(format!("setting {other}"))),
    }
}

table! { InstallationSetting, "installation_settings", |row, source| {
    Key Text "name": name = read_setting_name(&source.text()?)?, setting_name(row.name);
    Mutable Text "value": value = source.text()?, row.value.as_str();
} => InstallationSetting { name, value } }
