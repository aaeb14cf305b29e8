// Follows the stream of changes with the `EventSource` of npm, which sends a key.
//
//   KASSA_KEY=… node follower.mjs URL TYPE…
//
// Prints a line of JSON for each event: its type, its id, and its data.

import { EventSource } from "eventsource";

const [url, ...types] = process.argv.slice(2);
const authorized = (url, { headers, ...more }) =>
  fetch(url, { ...more, headers: { ...headers, Authorization: `key ${process.env.KASSA_KEY}` } });

const stream = new EventSource(url, { fetch: authorized });
for (const type of types) {
  stream.addEventListener(type, (event) => {
    console.log(JSON.stringify({ type: event.type, id: event.lastEventId, data: JSON.parse(event.data) }));
  });
}
