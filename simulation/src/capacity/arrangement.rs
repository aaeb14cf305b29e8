//! Which machines there are, and what runs on them.

/// Who has which processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Processors {
    /// Servers, database and load generator share those of one machine: how measurements are made.
    Shared(usize),
    /// Each server and each shard has a machine of its own; those of buyers are theirs.
    Separate {
        /// Processors of a server.
        node: usize,
        /// Processors of a shard.
        shard: usize,
    },
}

/// To which servers the requests for one event go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Routing {
    /// To any of them.
    AnyNode,
    /// To so many of them.
    NodesOfEvent(usize),
}

/// An installation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrangement {
    /// Servers.
    pub nodes: usize,
    /// Lanes of each server.
    pub lanes: usize,
    /// Databases that events are spread over.
    pub shards: usize,
    /// Events on sale at the same time.
    pub events: usize,
    /// Who has which processors.
    pub processors: Processors,
    /// Where requests go.
    pub routing: Routing,
}

impl Arrangement {
    /// Servers of one database and the load on one machine with two processors.
    pub fn bench(nodes: usize, events: usize) -> Self {
        let routing = if events < nodes { Routing::AnyNode } else { Routing::NodesOfEvent(1) };
        Self { nodes, lanes: 4, shards: 1, events, processors: Processors::Shared(2), routing }
    }

    /// The installation of the large sale: 100 servers and 32 shards, with eight processors each.
    pub fn large(routing: Routing) -> Self {
        let processors = Processors::Separate { node: 8, shard: 8 };
        Self { nodes: 100, lanes: 4, shards: 32, events: 32, processors, routing }
    }

    pub(super) fn shard_of(&self, event: usize) -> usize {
        event % self.shards.max(1)
    }

    /// The lane of an event at each server: a hash, as it is of the tag.
    pub(super) fn lane_of(&self, node: usize, event: usize) -> usize {
        node * self.lanes + event % self.lanes.max(1)
    }

    /// The server at a place among those of an event. Events of one number begin at different servers.
    pub(super) fn node_of(&self, event: usize, place: usize) -> usize {
        match self.routing {
            Routing::AnyNode => place % self.nodes,
            Routing::NodesOfEvent(nodes) => {
                // As far apart as they can be.
                let first = event * self.nodes / self.events.max(1);
                (first + place % nodes.max(1)) % self.nodes
            }
        }
    }
}
