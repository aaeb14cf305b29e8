// @ts-check
// Seats chosen in a picture and in lists, which show one selection, and what others take meanwhile. Without it, the lists
// alone do the same, a page at a time.

import { HallHands } from "./hall_hands.js";
import { buildHall, element, hidden, rowBoxes, showRows } from "./hall_view.js";
import { Hall } from "./seats_model.js";

/** @typedef {import("./hall_map.js").HallMap} HallMap */
/** @typedef {import("./seats_model.js").PageData} PageData */
/** @typedef {import("./seats_model.js").SetState} SetState */

/** Whether the page is in one of another site. */
const isFramed = document.documentElement.classList.contains("framed");

class SeatsPage {
  /**
   * @param {HTMLFormElement} form
   * @param {Hall} hall
   * @param {PageData} data
   */
  constructor(form, hall, data) {
    this.form = form;
    this.hall = hall;
    this.data = data;
    /** @type {Set<number>} */
    this.chosen = new Set();
    /** What whoever looks at the page holds already. @type {Set<number>} */
    this.own = new Set((data.own ?? []).concat(sentBefore()).map(([name, value]) => hall.find(name, value)));
    for (const seat of this.own) if (seat < 0 || hall.free[seat]) this.own.delete(seat);
    /** What was sent, until the server leads on. @type {Set<number>} */
    this.sending = new Set();
    this.key = "";
    this.sent = "";
    /** The choice that somebody wanted to reserve and was asked about, while it is the same. */
    this.asked = "";
    this.news = /** @type {HTMLElement} */ (form.querySelector("[data-news]"));
    this.summary = /** @type {HTMLElement} */ (form.querySelector("[data-summary]"));
    this.list = element("ul", "summary__list");
    this.total = element("p", "sum sum--all");
    this.total.append(element("span"), element("span"));
    this.singles = element("p", "wrong");
    this.offers = element("div", "summary__offers");
    this.fields = element("div");
    this.fields.hidden = true;
    /** The picture, once it is there. @type {HallMap | undefined} */
    this.map = undefined;
    for (const box of this.boxes()) {
      const seat = hall.find(box.name, box.value);
      if (box.checked && seat >= 0 && !this.own.has(seat)) this.chosen.add(seat);
    }
    this.buildSummary();
    if (isFramed && this.own.size > 0) this.showOwn();
    form.addEventListener("change", (event) => this.listed(event));
    form.addEventListener("click", (event) => this.clicked(event));
    form.addEventListener("submit", (event) => this.submitted(event));
  }

  /** @returns {NodeListOf<HTMLInputElement>} */
  boxes() {
    return this.form.querySelectorAll('input[type="checkbox"][name^="seats."]');
  }

  /**
   * A text about something.
   * @param {string} key
   * @param {string} [about]
   */
  text(key, about = "") {
    return this.data.texts[key].replace("{}", about);
  }

  /** @param {string} text what those hear who do not see the page */
  announce(text) {
    this.news.textContent = text;
  }

  /** @param {number} seat */
  describe(seat) {
    const given = this.own.has(seat) ? "seat-own" : "seat-taken";
    const state = this.chosen.has(seat) ? "seat-chosen" : this.hall.free[seat] ? "seat-free" : given;
    return `${this.hall.label(seat)}, ${this.hall.set(seat).price.text}, ${this.text(state)}`;
  }

  /** @param {number} seat */
  toggle(seat) {
    if (this.chosen.has(seat)) this.chosen.delete(seat);
    else if (!this.hall.free[seat]) {
      this.announce(this.describe(seat));
      return;
    } else if (this.chosen.size >= this.data.limit) {
      this.announce(this.text("limit-reached"));
      return;
    } else this.chosen.add(seat);
    this.announce(this.describe(seat));
    this.show();
  }

  // The selection, in lists, picture and summary

  show() {
    for (const box of this.boxes()) {
      const seat = this.hall.find(box.name, box.value);
      if (seat < 0) continue;
      box.checked = this.chosen.has(seat);
      box.disabled = !this.hall.free[seat] && !box.checked;
    }
    this.showSummary();
    this.map?.draw();
  }

  buildSummary() {
    for (const part of this.summary.querySelectorAll("[data-elsewhere], [data-total], [data-none]")) part.remove();
    // What the server says of the choice as it was sent.
    const alerts = document.querySelectorAll("[data-singles]");
    if (alerts.length > 0) this.asked = this.names();
    for (const alert of alerts) alert.remove();
    for (const sure of this.form.querySelectorAll('input[name="_sure"]')) sure.remove();
    this.summary.querySelector("h2")?.after(this.offers, this.list, this.total, this.singles, this.fields);
    this.showSummary();
  }

  showSummary() {
    const seats = [...this.chosen].sort((one, other) => one - other);
    this.list.replaceChildren(...seats.map((seat) => this.line(seat)));
    const cents = seats.reduce((sum, seat) => sum + Math.round(Number(this.hall.set(seat).price.price) * 100), 0);
    const [count, sum] = this.total.children;
    count.textContent = seats.length > 0 ? this.text("chosen-seats", String(seats.length)) : this.text("chosen-none");
    sum.textContent = seats.length > 0 ? this.amount(cents) : "";
    this.total.classList.toggle("muted", seats.length === 0);
    // What no list shows goes with the form all the same.
    const shown = new Set(Array.from(this.boxes(), (box) => this.hall.find(box.name, box.value)));
    this.fields.replaceChildren(...seats.filter((seat) => !shown.has(seat)).map((seat) => this.hidden(seat)));
    this.showSingles();
  }

  /** What is chosen, as a text that is the same for the same choice. */
  names() {
    return [...this.chosen].sort((one, other) => one - other).join(" ");
  }

  /** What is to be said of the seats that the choice leaves single. */
  singlesText() {
    const cares = this.data.singles === "warn" || this.data.singles === "forbid";
    const singles = cares ? this.hall.singles(this.chosen) : [];
    const names = singles.map((seat) => this.hall.label(seat)).join("; ");
    const key = this.data.singles === "forbid" ? "singles-forbidden" : "singles-warned";
    return singles.length > 0 ? this.text(key, names) : "";
  }

  /** Nothing, until somebody wants to reserve: before that, a choice may be half made. */
  showSingles() {
    const text = this.asked && this.asked === this.names() ? this.singlesText() : "";
    if (!text) this.asked = "";
    this.say(text);
    const goesOn = text && this.data.singles !== "forbid";
    const reserve = this.form.querySelector("[data-reserve]");
    if (reserve) reserve.textContent = this.text(goesOn ? "reserve-anyway" : "reserve-seats");
    // Who was told, and goes on, is sure.
    if (goesOn) this.fields.append(hidden("_sure", "1"));
  }

  /** Says beside the choice what is wrong with it; an empty text takes that away. @param {string} text */
  say(text) {
    this.singles.hidden = text === "";
    if (this.singles.textContent === text) return;
    this.singles.textContent = text;
    if (text) this.announce(text);
  }

  /** Whether something of the choice is to be looked at before it is reserved. */
  isQuestioned() {
    if (this.chosen.size === 0) {
      this.say(this.text("notice-nothing-chosen"));
      return true;
    }
    const text = this.singlesText();
    if (!text || (this.asked === this.names() && this.data.singles !== "forbid")) return false;
    this.asked = this.names();
    this.showSummary();
    return true;
  }

  /** @param {number} seat */
  line(seat) {
    const line = element("li", "summary__seat");
    const remove = document.createElement("button");
    remove.type = "button";
    remove.className = "summary__remove";
    remove.textContent = "×";
    remove.ariaLabel = `${this.text("remove-seat")}: ${this.hall.label(seat)}`;
    remove.addEventListener("click", () => {
      this.toggle(seat);
      const next = this.form.querySelector(".summary__remove") ?? this.form.querySelector("[data-reserve]");
      if (next instanceof HTMLElement) next.focus();
    });
    const name = element("span", "summary__name");
    name.textContent = this.hall.label(seat);
    const price = element("span", "summary__price");
    price.textContent = this.hall.set(seat).price.text;
    line.append(name, price, remove);
    return line;
  }

  /** @param {number} seat */
  hidden(seat) {
    return hidden(this.hall.field(seat), String(this.hall.number(seat)));
  }

  /** @param {number} cents */
  amount(cents) {
    const { language, currency } = this.data;
    const decimals = cents % 100 === 0 && currency ? 0 : 2;
    const style = currency ? { style: /** @type {const} */ ("currency"), currency } : {};
    // As the server writes them: four digits have no groups outside English.
    const useGrouping = language === "en" ? "always" : "min2";
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    const format = /** @type {Intl.NumberFormatOptions} */ (/** @type {unknown} */ ({ ...style, ...digits, useGrouping }));
    return new Intl.NumberFormat(language, format).format(cents / 100);
  }

  // Lists

  /** @param {Event} event */
  listed({ target }) {
    if (!(target instanceof HTMLInputElement) || !target.name.startsWith("seats.")) return;
    const seat = this.hall.find(target.name, target.value);
    if (seat < 0 || target.checked === this.chosen.has(seat)) return;
    this.toggle(seat);
    target.checked = this.chosen.has(seat);
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (button?.name !== "rows") return;
    event.preventDefault();
    this.openRows(button);
  }

  /** Shows the rows that a button names. @param {HTMLButtonElement} button */
  openRows(button) {
    const set = this.hall.byId.get(button.value.split(".")[0]);
    const title = showRows(set, button, this.form.querySelectorAll('button[name="rows"]'), (row) => this.boxesOf(row));
    if (!title) return;
    this.showSummary();
    title.focus();
  }

  /** @param {import("./seats_model.js").Row} row */
  boxesOf(row) {
    return rowBoxes(this.hall, row, `${this.text("row")} ${row.name}`, (label, box, seat) => {
      if (this.own.has(seat)) {
        label.classList.add("box--own");
        const said = element("span", "hidden");
        said.textContent = `, ${this.text("seat-own")}`;
        label.querySelector("span")?.append(said);
      }
      box.checked = this.chosen.has(seat);
      box.disabled = !this.hall.free[seat] && !box.checked;
    });
  }

  /** @param {SubmitEvent} event */
  submitted(event) {
    if (event.submitter?.getAttribute("formmethod") === "get") return;
    if (this.isQuestioned()) {
      event.preventDefault();
      return;
    }
    // Two clicks are one order; another choice is another.
    const names = this.names();
    if (names !== this.sent || !this.key) {
      const random = crypto.getRandomValues(new Uint8Array(16));
      this.key = Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
      this.sent = names;
    }
    this.fields.querySelector('[name="_key"]')?.remove();
    this.fields.append(hidden("_key", this.key));
    this.sending = new Set(this.chosen);
    const sent = [...this.chosen].map((seat) => [this.hall.field(seat), String(this.hall.number(seat))]);
    history.replaceState({ sent }, "");
  }

  /** Says what the visitor holds, where no cookie tells that to the server: whoever sent it came back from its order. */
  showOwn() {
    const place = document.querySelector("[data-own]");
    const said = element("p");
    said.textContent = `${[...this.own].map((seat) => this.hall.label(seat)).join("; ")}: ${this.text("seat-own")}`;
    const back = document.createElement("button");
    [back.type, back.className, back.textContent] = ["button", "button", this.text("back-to-order")];
    back.addEventListener("click", () => history.forward());
    const order = element("div", "own__order");
    order.append(said, back);
    place?.replaceChildren(order);
  }

  // What others do

  follow() {
    const address = `/v2/resources/events/${this.data.event}/availability/stream`;
    /** @type {EventSource | null} */
    let source = null;
    const open = () => {
      source = new EventSource(address);
      for (const kind of ["availability", "change"]) {
        source.addEventListener(kind, (message) => this.told(JSON.parse(message.data).sets));
      }
      source.addEventListener("error", () => {
        if (source?.readyState === EventSource.CLOSED) this.announce(this.text("connection-lost"));
      });
    };
    // Nobody reads a page that is hidden: the server has a place less to keep. A page that comes back is told everything.
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) {
        source?.close();
        source = null;
      } else if (!source) open();
    });
    if (!document.hidden) open();
  }

  /** @param {SetState[]} sets */
  told(sets) {
    const changed = this.hall.apply(sets);
    this.map?.update(changed);
    // What its order has given back is as free to it as to all.
    for (const seat of changed) if (this.hall.free[seat]) this.own.delete(seat);
    const lost = changed.filter((seat) => !this.hall.free[seat] && this.chosen.has(seat));
    for (const seat of lost) this.chosen.delete(seat);
    // What goes with a form is taken by whoever sends it.
    for (const seat of lost) {
      if (this.sending.has(seat)) this.own.add(seat);
      else this.lose(seat);
    }
    if (changed.length > 0) this.show();
  }

  /** Says that somebody else has a seat now, and offers the nearest. @param {number} seat */
  lose(seat) {
    const offer = element("div", "wrong wrong--form");
    const text = element("p");
    text.textContent = this.text("seat-lost", this.hall.label(seat));
    offer.append(text);
    const button = document.createElement("button");
    [button.type, button.className] = ["button", "button button--quiet"];
    let nearest = this.hall.nearest(seat, this.chosen);
    const name = () => {
      button.textContent = nearest < 0 ? this.text("seats-none-near") : this.text("seat-offer", this.hall.label(nearest));
      button.disabled = nearest < 0;
    };
    name();
    button.addEventListener("click", () => {
      if (!this.hall.free[nearest] || this.chosen.has(nearest)) {
        // It is gone, too.
        nearest = this.hall.nearest(seat, this.chosen);
        name();
        return;
      }
      offer.remove();
      this.toggle(nearest);
      this.map?.showSeat(nearest);
    });
    offer.append(button);
    this.offers.append(offer);
    this.announce(`${text.textContent} ${button.textContent}`);
  }

  // The picture

  /** @param {HTMLElement} place */
  draw(place) {
    this.map = buildHall(place, this.hall, this, (map, caption) => new HallHands(map, caption)).map;
  }
}

/**
 * What the page draws and follows.
 * @param {HTMLFormElement} form
 * @param {PageData} data
 */
async function load(form, data) {
  const json = (/** @type {string} */ address) =>
    fetch(address).then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(`${address}: ${answer.status}`))));
  const [file, left] = await Promise.all([
    json(form.dataset.hall ?? ""),
    json(`/v2/resources/events/${data.event}/availability`),
  ]);
  const hall = new Hall(file, data);
  hall.apply(left.data.sets);
  return hall;
}

/**
 * The seats that were sent from this page, where somebody comes back to it.
 * @returns {[string, string][]}
 */
function sentBefore() {
  return history.state?.sent ?? [];
}

/** Whether a page from the memory of the browser does not show what was sent from it. @param {PageData} data */
function isOutdated({ own = [] }) {
  return !isFramed && sentBefore().some(([name, value]) => !own.some((seat) => seat[0] === name && seat[1] === value));
}

const form = document.querySelector("[data-seats]");
const stored = document.getElementById("seats-data")?.textContent;
const place = document.querySelector("[data-map]");
if (form instanceof HTMLFormElement && stored && place instanceof HTMLElement) {
  /** @type {PageData} */
  const data = JSON.parse(stored);
  if (isOutdated(data)) {
    history.replaceState(null, "");
    location.reload();
  }
  try {
    const hall = await load(form, data);
    performance.mark("seats-data");
    const page = new SeatsPage(form, hall, data);
    page.draw(place);
    page.follow();
    requestAnimationFrame(() => requestAnimationFrame(() => performance.mark("seats-drawn")));
    // For measurements: what is drawn, and how long that takes.
    Object.assign(place, { hallMap: page.map, seatsPage: page });
  } catch (error) {
    // The lists do all of it, too.
    place.remove();
    console.warn(error);
  }
}
// Who comes back by the browser's own button finds what is free now.
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
