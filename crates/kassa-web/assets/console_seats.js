// @ts-check
// Seats that an organizer chooses in a picture and in lists: one by one, by whole rows, or as many as a finger or the mouse
// passes over. Without it, the lists alone do the same, a part at a time.

import { HallHands } from "./hall_hands.js";
import { box, buildHall, element, hidden, rowBoxes, showRows } from "./hall_view.js";
import { Hall } from "./seats_model.js";

/** @typedef {import("./hall_map.js").HallMap} HallMap */
/** @typedef {import("./seats_model.js").PageData & { states: import("./seats_model.js").SetState[] }} BoardData */

/** Points of a stroke are so far apart at most, in pixels. */
const STROKE_STEP = 6;

/** Hands that paint: what they pass over is chosen, or given up where they began on a chosen seat. */
class PaintingHands extends HallHands {
  /**
   * @param {HallMap} map
   * @param {Board} board
   * @param {(seat: number) => void} caption
   */
  constructor(map, board, caption) {
    super(map, caption);
    this.board = board;
    /** Whether this stroke chooses. @type {boolean | undefined} */
    this.chooses = undefined;
  }

  /** @param {PointerEvent} event */
  press(event) {
    super.press(event);
    this.chooses = undefined;
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const from = this.pointers.get(event.pointerId);
    if (!from || !this.board.isPainting || this.pointers.size !== 1) {
      super.drag(event);
      return;
    }
    const to = this.at(event);
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    this.travel += length;
    this.pointers.set(event.pointerId, to);
    const steps = Math.max(1, Math.ceil(length / STROKE_STEP));
    for (let step = 0; step <= steps; step++) {
      const share = step / steps;
      this.paint(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share);
    }
    this.board.showSoon();
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  paint(x, y) {
    const seat = this.map.seatAt(x, y);
    if (seat < 0) return;
    this.chooses ??= !this.board.chosen.has(seat);
    this.board.choose(seat, this.chooses);
  }
}

class Board {
  /**
   * @param {HTMLFormElement} form
   * @param {Hall} hall
   * @param {BoardData} data
   */
  constructor(form, hall, data) {
    this.form = form;
    this.hall = hall;
    this.data = data;
    /** @type {Set<number>} */
    this.chosen = new Set();
    this.isPainting = false;
    this.isByRow = false;
    this.isAsked = false;
    this.count = /** @type {HTMLElement | null} */ (form.querySelector("[data-chosen]"));
    this.news = /** @type {HTMLElement} */ (form.querySelector("[data-news]"));
    this.fields = /** @type {HTMLElement} */ (form.querySelector("[data-fields]"));
    /** @type {HallMap | undefined} */
    this.map = undefined;
    this.readBoxes();
    form.addEventListener("change", (event) => this.listed(event));
    form.addEventListener("click", (event) => this.clicked(event));
    form.addEventListener("submit", () => this.writeFields());
  }

  /** @param {string} key */
  text(key) {
    return this.data.texts[key];
  }

  /** @param {string} text what those hear who do not see the page */
  announce(text) {
    this.news.textContent = text;
  }

  /** @returns {NodeListOf<HTMLInputElement>} */
  boxes() {
    return this.form.querySelectorAll('input[type="checkbox"][name^="seats."]');
  }

  readBoxes() {
    for (const box of this.boxes()) {
      const seat = this.hall.find(box.name, box.value);
      if (box.checked && seat >= 0) this.chosen.add(seat);
    }
  }

  /** @param {number} seat */
  describe(seat) {
    const { hall } = this;
    const state = hall.held[seat] ? "seat-held" : hall.free[seat] ? "seat-free" : "seat-taken";
    const chosen = this.chosen.has(seat) ? `, ${this.text("seat-chosen")}` : "";
    return `${hall.label(seat)}, ${hall.set(seat).price.text} ${this.text(state)}${chosen}`;
  }

  /**
   * Chooses a seat, or its row, or gives that up. What is sold or held by an order stays as it is.
   * @param {number} seat
   * @param {boolean} isChosen
   */
  choose(seat, isChosen) {
    const row = this.hall.row(seat);
    const seats = this.isByRow ? row.numbers.map((_, at) => row.first + at) : [seat];
    for (const one of seats) {
      if (!this.hall.free[one]) continue;
      if (isChosen) this.chosen.add(one);
      else this.chosen.delete(one);
    }
  }

  /** @param {number} seat */
  toggle(seat) {
    this.choose(seat, !this.chosen.has(seat));
    this.announce(this.describe(seat));
    this.show();
  }

  /** Shows what is chosen with the next frame. */
  showSoon() {
    if (this.isAsked) return;
    this.isAsked = true;
    requestAnimationFrame(() => {
      this.isAsked = false;
      this.show();
    });
  }

  show() {
    for (const box of this.boxes()) {
      const seat = this.hall.find(box.name, box.value);
      if (seat >= 0) box.checked = this.chosen.has(seat);
    }
    if (this.count) {
      const text = this.text("chosen-seats").replace("{}", String(this.chosen.size));
      this.count.textContent = this.chosen.size > 0 ? text : this.text("chosen-none");
    }
    this.map?.draw();
  }

  /** @param {Event} event */
  listed({ target }) {
    if (!(target instanceof HTMLInputElement)) return;
    if (target.name.startsWith("rows.")) {
      const row = this.hall.byId.get(target.name.slice(5))?.rows.find(({ name }) => name === target.value);
      for (let at = 0; row && at < row.numbers.length; at++) {
        const seat = row.first + at;
        if (!this.hall.free[seat]) continue;
        if (target.checked) this.chosen.add(seat);
        else this.chosen.delete(seat);
      }
      this.show();
      return;
    }
    const seat = target.name.startsWith("seats.") ? this.hall.find(target.name, target.value) : -1;
    if (seat < 0) return;
    if (target.checked) this.chosen.add(seat);
    else this.chosen.delete(seat);
    this.show();
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const way = event.target instanceof Element ? event.target.closest("a[data-part]") : null;
    if (!(way instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.openRows(way);
  }

  /** Shows the rows that a way leads to. @param {HTMLAnchorElement} way */
  openRows(way) {
    const set = this.hall.byId.get((way.dataset.part ?? "").split(".")[0]);
    const ways = this.form.querySelectorAll("a[data-part]");
    const title = showRows(set, way, ways, (row) => this.boxesOf(set?.id ?? "", row));
    if (!title) return;
    const shown = this.form.querySelector('input[name="_rows"]');
    if (shown instanceof HTMLInputElement) shown.value = way.dataset.part ?? "";
    this.show();
    title.focus();
  }

  /**
   * @param {string} set
   * @param {import("./seats_model.js").Row} row
   */
  boxesOf(set, row) {
    const group = rowBoxes(this.hall, row, `${this.text("row")} ${row.name}`, (label, input, seat) => {
      input.disabled = !this.hall.free[seat];
      if (this.hall.held[seat] !== 1) return;
      label.classList.add("box--held");
      const state = element("span", "hidden");
      state.textContent = `, ${this.text("seat-held")}`;
      label.lastElementChild?.append(state);
    });
    const whole = box(`rows.${set}`, row.name, this.text("whole-row")).label;
    whole.classList.add("box--row");
    group.firstElementChild?.after(whole);
    return group;
  }

  /** Writes what is chosen, and what no list shows of it, a row at a time. */
  writeFields() {
    const shown = new Set(Array.from(this.boxes(), ({ name }) => name));
    /** @type {Map<string, number[]>} */
    const rows = new Map();
    for (const seat of [...this.chosen].sort((one, other) => one - other)) {
      const name = this.hall.field(seat);
      if (shown.has(name)) continue;
      const numbers = rows.get(name) ?? [];
      numbers.push(this.hall.number(seat));
      rows.set(name, numbers);
    }
    // What is chosen stands in the boxes of its seats already.
    for (const whole of this.form.querySelectorAll('input[name^="rows."]')) {
      if (whole instanceof HTMLInputElement) whole.checked = false;
    }
    this.fields.replaceChildren(...[...rows].map(([name, numbers]) => hidden(name, runs(numbers))));
  }

  /** @param {HTMLElement} place */
  draw(place) {
    const { map, controls } = buildHall(place, this.hall, this, (map, caption) => new PaintingHands(map, this, caption));
    this.map = map;
    controls.after(this.tools());
    this.show();
  }

  /** What the mouse and fingers do. */
  tools() {
    const tools = element("div", "paint");
    tools.append(
      this.tool("paint-rows", (isOn) => {
        this.isByRow = isOn;
      }),
      this.tool("paint-seats", (isOn) => {
        this.isPainting = isOn;
        this.map?.element.classList.toggle("is-painting", isOn);
      }),
    );
    const help = element("p", "field__hint");
    help.textContent = this.text("paint-help");
    tools.append(help);
    return tools;
  }

  /**
   * @param {string} key
   * @param {(isOn: boolean) => void} set
   */
  tool(key, set) {
    const label = element("label", "check");
    const input = document.createElement("input");
    input.type = "checkbox";
    input.addEventListener("change", () => set(input.checked));
    const name = element("span");
    name.textContent = this.text(key);
    label.append(input, name);
    return label;
  }
}

/** Numbers as runs: `1-20,22`. @param {number[]} numbers */
function runs(numbers) {
  /** @type {[number, number][]} */
  const found = [];
  for (const number of numbers) {
    const last = found[found.length - 1];
    if (last && last[1] === number - 1) last[1] = number;
    else found.push([number, number]);
  }
  return found.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(",");
}

const form = document.querySelector("[data-board]");
const stored = document.getElementById("seats-data")?.textContent;
const drawn = document.getElementById("seats-hall")?.textContent;
const place = document.querySelector("[data-map]");
if (form instanceof HTMLFormElement && stored && drawn && place instanceof HTMLElement) {
  /** @type {BoardData} */
  const data = JSON.parse(stored);
  const hall = new Hall(JSON.parse(drawn), data);
  hall.apply(data.states);
  const board = new Board(form, hall, data);
  board.draw(place);
  // For tests: what is drawn.
  Object.assign(place, { hallMap: board.map, board });
}
