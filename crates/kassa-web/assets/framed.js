// @ts-check
// A page of the shop in a frame: tells the page around it what has become of the order, and nothing that opens it. It speaks
// only to the sites that the seller has named, which the server writes into the page.

const origins = (document.documentElement.dataset.origins ?? "").split(" ").filter(Boolean);
/** Whether the page says that nothing is sold: that, whoever frames it may hear. */
const isRefusal = origins[0] === "*";
/** @type {string | null} the site around this page, once it has said that it is there */
let site = null;

/** @param {Record<string, string | null>} message */
function tell(message) {
  if (site !== null) parent.postMessage(message, site);
}

addEventListener("message", (message) => {
  if (message.source !== parent || message.source === window || message.data?.kassa !== "hello") return;
  if (!isRefusal && !origins.includes(message.origin)) return;
  site = message.origin;
  const order = /\/order\/([0-9a-f]{24})\./.exec(location.pathname)?.[1] ?? null;
  const state = document.querySelector("[data-order]")?.getAttribute("data-order") ?? null;
  tell({ kassa: "state", order, state: isRefusal ? "refused" : state });
});

addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !event.defaultPrevented) tell({ kassa: "close" });
});
