// @ts-check
// Follows what is left of an event, and says it in the page. Without it, the page says what was left when it was made.

/** From so few tickets on, their number is said; the page has a text for each. */
const FEW_MAX = 20;

/**
 * @typedef {{ left: string[], many: string, soldOut: string, notOnSale: string }} LiveTexts
 * @typedef {{ id: string, left: number, on_sale: boolean }} SetState
 * @typedef {{ on_sale: boolean, sets: SetState[] }} EventState
 */

/**
 * @param {SetState} set
 * @param {boolean} isEventOnSale
 * @param {LiveTexts} texts
 * @returns {{ name: string, text: string }} the state as styles know it, and in words
 */
function describe(set, isEventOnSale, texts) {
  if (!isEventOnSale || !set.on_sale) return { name: "not-on-sale", text: texts.notOnSale };
  if (set.left <= 0) return { name: "sold-out", text: texts.soldOut };
  if (set.left <= FEW_MAX) return { name: "few", text: texts.left[set.left - 1] };
  return { name: "free", text: texts.many };
}

/**
 * @param {EventState} state
 * @param {LiveTexts} texts
 */
function show(state, texts) {
  for (const set of state.sets) {
    const offer = document.querySelector(`[data-set="${CSS.escape(set.id)}"]`);
    const left = offer?.querySelector("[data-left]");
    if (!offer || !left) continue;
    const { name, text } = describe(set, state.on_sale, texts);
    const wasKnown = offer.className.match(/offer--([a-z-]+)/)?.[1];
    // What is not on sale yet says since when it will be: that stays.
    if (name === "not-on-sale" && wasKnown === name) continue;
    if (left.textContent !== text) left.textContent = text;
    if (wasKnown === name) continue;
    offer.className = `offer offer--${name}`;
    const choice = offer.querySelector("select");
    if (choice) {
      choice.disabled = name === "sold-out" || name === "not-on-sale";
      if (choice.disabled) choice.value = "0";
    }
    if (name === "sold-out") announce(`${offer.querySelector("h3")?.textContent ?? ""}: ${text}`);
  }
}

/** @param {string} text what those hear who do not see the page */
function announce(text) {
  const news = document.querySelector("[data-news]");
  if (news) news.textContent = text;
}

/** Shows what the visitor holds now: the page may be as it was before. */
async function showOwn() {
  history.replaceState(null, "");
  const answer = await fetch(location.href, { cache: "no-store" }).catch(() => null);
  const page = new DOMParser().parseFromString(answer?.ok ? await answer.text() : "", "text/html");
  const own = page.querySelector("[data-own]");
  if (own) document.querySelector("[data-own]")?.replaceWith(own);
}

// Two clicks are one order: what is sent twice has the same name, and another choice has another.
const cart = document.querySelector("[data-cart]");
if (cart instanceof HTMLFormElement) {
  const key = document.createElement("input");
  key.type = "hidden";
  key.name = "_key";
  let sent = "";
  cart.addEventListener("submit", ({ submitter }) => {
    if (submitter?.getAttribute("formmethod") === "get") return;
    history.replaceState({ sent: true }, "");
    key.remove();
    const choice = Array.from(new FormData(cart), (pair) => pair.join("=")).join("&");
    if (choice !== sent) {
      const random = crypto.getRandomValues(new Uint8Array(16));
      key.value = Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
      sent = choice;
    }
    cart.append(key);
  });
  // Who comes back by the browser's own button chooses anew, and is shown what it holds by now.
  addEventListener("pageshow", () => {
    sent = "";
    if (history.state?.sent) showOwn();
  });
}

const event = document.querySelector("[data-event]")?.getAttribute("data-event");
const stored = document.getElementById("live-texts")?.textContent;
if (event && stored && document.querySelector("[data-set]")) {
  /** @type {LiveTexts} */
  const texts = JSON.parse(stored);
  const address = `/v2/resources/events/${event}/availability/stream`;
  /** @type {EventSource | null} */
  let source = null;

  const follow = () => {
    source = new EventSource(address);
    for (const kind of ["availability", "change"]) {
      source.addEventListener(kind, (message) => show(JSON.parse(message.data), texts));
    }
  };
  // Nobody reads a page that is hidden: the server has a place less to keep. A page that comes back is told everything.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      source?.close();
      source = null;
    } else if (!source) {
      follow();
    }
  });
  if (!document.hidden) follow();
}
