//! What every handler has at hand.

use std::sync::Arc;

use kassa_engine::Engine;
use url::Url;

use crate::input::Room;

/// Settings of the interface.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where clients reach the server, when it is not where it listens.
    pub public_url: Option<Url>,
    /// The longest JSON body, in bytes.
    pub json_bytes_max: usize,
    /// The longest hall map, in bytes.
    pub map_bytes_max: usize,
    /// The longest attachment, in bytes.
    pub attachment_bytes_max: usize,
    /// The vendors, by their names in paths, that say who comes with the tickets of orders.
    pub user_data_vendors: Vec<String>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            public_url: None,
            json_bytes_max: 1024 * 1024,
            map_bytes_max: 16 * 1024 * 1024,
            attachment_bytes_max: 20 * 1024 * 1024,
            user_data_vendors: vec!["mosbilet".to_owned()],
        }
    }
}

/// The engine, and the settings of the interface. Clones share them.
#[derive(Clone)]
pub struct App {
    /// Takes the commands.
    pub engine: Engine,
    /// How the interface is set.
    pub config: Arc<Config>,
    /// What bodies take in memory.
    pub(crate) bodies: Room,
}

impl App {
    /// The interface over an engine.
    pub fn new(engine: Engine, config: Config) -> Self {
        Self { engine, config: Arc::new(config), bodies: Room::default() }
    }
}
