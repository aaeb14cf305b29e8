// @ts-check
// What pages with a hall have in common: its picture with a caption and buttons, and the boxes of its rows.

import { HallMap } from "./hall_map.js";

/** @typedef {import("./seats_model.js").Hall} Hall */
/** @typedef {import("./seats_model.js").Row} Row */
/** @typedef {import("./seats_model.js").SeatSet} SeatSet */
/**
 * What a page knows and does.
 * @typedef {object} HallPage
 * @property {Set<number>} chosen
 * @property {Set<number>} [own] seats in an order of whoever looks at the page
 * @property {(key: string) => string} text
 * @property {(text: string) => void} announce
 * @property {(seat: number) => string} describe
 * @property {(seat: number) => void} toggle
 */

/**
 * Puts the picture of a hall into a place. What moves it and chooses in it, `hands` makes.
 * @param {HTMLElement} place
 * @param {Hall} hall
 * @param {HallPage} page
 * @param {(map: HallMap, caption: (seat: number) => void) => unknown} hands
 */
export function buildHall(place, hall, page, hands) {
  const picture = element("div", "hall");
  const help = element("p", "hidden");
  help.id = "map-help";
  help.textContent = page.text("map-help");
  const caption = element("p", "hall__caption");
  // What it says is announced, too.
  caption.ariaHidden = "true";
  caption.hidden = true;
  const controls = element("div", "seats__zoom");
  const awaited = place.querySelector(".hall");
  if (awaited) awaited.replaceWith(picture);
  else place.append(picture);
  const map = new HallMap(picture, hall, {
    chosen: page.chosen,
    own: page.own ?? new Set(),
    toggle: (seat) => page.toggle(seat),
    point: (seat) => page.announce(page.describe(seat)),
  });
  hands(map, (seat) => {
    caption.hidden = seat < 0;
    if (seat >= 0) caption.textContent = page.describe(seat);
  });
  picture.tabIndex = 0;
  picture.setAttribute("role", "application");
  picture.setAttribute("aria-label", page.text("hall-map"));
  picture.setAttribute("aria-describedby", "map-help");
  /** @type {[string, string, () => void][]} */
  const ways = [["+", "zoom-in", () => map.zoom(1.6)], ["−", "zoom-out", () => map.zoom(1 / 1.6)], ["⤢", "zoom-all", () => map.showAll()]];
  for (const [sign, key, act] of ways) {
    const button = document.createElement("button");
    [button.type, button.className, button.textContent] = ["button", "seats__zoomer", sign];
    [button.ariaLabel, button.title] = [page.text(key), page.text(key)];
    button.addEventListener("click", act);
    controls.append(button);
  }
  picture.after(caption, controls, help);
  return { map, controls };
}

/**
 * Shows the rows that one of some ways leads to, without a way back to the server: what is chosen stays. Returns their title.
 * @param {SeatSet | undefined} set
 * @param {HTMLElement} way
 * @param {Iterable<Element>} ways
 * @param {(row: Row) => HTMLElement} boxesOf
 */
export function showRows(set, way, ways, boxesOf) {
  const place = document.getElementById("rows");
  if (!set || !place) return undefined;
  const title = element("h3", "rows__title");
  title.id = "rows-title";
  title.tabIndex = -1;
  title.textContent = set.price.text ? `${set.name}, ${set.price.text}` : set.name;
  const rows = set.rows.slice(Number(way.dataset.from), Number(way.dataset.to));
  place.replaceChildren(title, ...rows.map(boxesOf));
  for (const other of ways) other.removeAttribute("aria-current");
  way.setAttribute("aria-current", "true");
  return title;
}

/**
 * The boxes of a row under its name. What boxes are like, `dress` says of each: its label, its box and its seat.
 * @param {Hall} hall
 * @param {Row} row
 * @param {string} name
 * @param {(label: HTMLElement, input: HTMLInputElement, seat: number) => void} dress
 */
export function rowBoxes(hall, row, name, dress) {
  const group = element("fieldset", "row");
  const legend = element("legend");
  legend.textContent = name;
  group.append(legend);
  row.numbers.forEach((number, at) => {
    const seat = row.first + at;
    const { label, input } = box(hall.field(seat), String(number), String(number));
    dress(label, input, seat);
    group.append(label);
  });
  return group;
}

/**
 * A box that can be checked, with what it says.
 * @param {string} name
 * @param {string} value
 * @param {string} text
 */
export function box(name, value, text) {
  const label = element("label", "box");
  const input = document.createElement("input");
  [input.type, input.name, input.value] = ["checkbox", name, value];
  const said = element("span");
  said.textContent = text;
  label.append(input, said);
  return { label, input };
}

/**
 * @param {string} name
 * @param {string} [className]
 */
export function element(name, className) {
  const made = document.createElement(name);
  if (className) made.className = className;
  return made;
}

/**
 * A field that a form carries and nobody sees.
 * @param {string} name
 * @param {string} value
 */
export function hidden(name, value) {
  const made = document.createElement("input");
  [made.type, made.name, made.value] = ["hidden", name, value];
  return made;
}
