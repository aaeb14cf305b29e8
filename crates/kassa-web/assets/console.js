// @ts-check
// Follows what happens to orders, and renews the parts of the page that are marked `data-live`. Without it, the page is loaded
// again by hand.

/** Changes that come together are shown together: how long to wait for more, in milliseconds. */
const GATHER_MS = 250;
const STREAM = "/v2/resources/changes/stream?types=order.*,event.*,set.*&payload=thin";

/** The changes that move figures, as the stream names them. */
const KINDS = [
  ...["order.reserved", "order.changed", "order.payment_started", "order.paid", "order.canceled", "order.expired"],
  ...["order.refunded", "event.changed", "set.changed"],
];

/** @type {EventSource | undefined} */
let stream;
/** @type {number | undefined} */
let planned;

async function renew() {
  planned = undefined;
  const answer = await fetch(location.href, { headers: { accept: "text/html" } });
  if (!answer.ok || answer.redirected) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const old of document.querySelectorAll("[data-live]")) {
    const part = old.getAttribute("data-live");
    const now = page.querySelector(`[data-live="${part}"]`);
    // Nobody loses the place where they are.
    if (!now || old.contains(document.activeElement) || old.innerHTML === now.innerHTML) continue;
    old.replaceWith(document.adoptNode(now));
  }
}

function plan() {
  planned ??= window.setTimeout(renew, GATHER_MS);
}

/** A page that nobody looks at takes no connection. */
function follow() {
  if (document.hidden) {
    stream?.close();
    stream = undefined;
    return;
  }
  if (stream) return;
  stream = new EventSource(STREAM);
  for (const type of KINDS) stream.addEventListener(type, plan);
}

if (document.querySelector("[data-live]")) {
  document.addEventListener("visibilitychange", () => {
    follow();
    // What happened meanwhile is shown at once.
    if (!document.hidden) plan();
  });
  follow();
}
