// @ts-check
// Fingers, the mouse and keys, on the picture of a hall.

import { CHOSEN_SEAT_MIN, CLOSE_SEAT } from "./hall_map.js";
import { SPACING } from "./hall_painter.js";

/** A pointer that moves less than this, in pixels, is a tap. */
const TAP_SLACK = 7;

/** What people do with a picture of a hall. */
export class HallHands {
  /**
   * @param {import("./hall_map.js").HallMap} map
   * @param {(seat: number) => void} caption says which seat somebody points at; -1 is none
   */
  constructor(map, caption) {
    this.map = map;
    this.caption = caption;
    /** Fingers and the mouse: where they are. @type {Map<number, { x: number, y: number }>} */
    this.pointers = new Map();
    this.travel = 0;
    this.box = new DOMRect();
    const { element } = map;
    element.addEventListener("pointerdown", (event) => this.press(event));
    element.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) {
      element.addEventListener(end, (event) => this.release(event));
    }
    element.addEventListener("pointerleave", () => caption(-1));
    element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    element.addEventListener("keydown", (event) => this.key(event));
    element.addEventListener("focus", () => map.draw());
    element.addEventListener("blur", () => {
      caption(-1);
      map.draw();
    });
  }

  /** Where a pointer is in the picture. While it is moved, the page is not asked again where that is. @param {MouseEvent} event */
  at(event) {
    if (this.pointers.size === 0) this.box = this.map.element.getBoundingClientRect();
    return { x: event.clientX - this.box.left, y: event.clientY - this.box.top };
  }

  /** @param {PointerEvent} event */
  press(event) {
    this.map.element.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, this.at(event));
    if (this.pointers.size === 1) this.travel = 0;
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const from = this.pointers.get(event.pointerId);
    const to = this.at(event);
    if (!from) {
      this.hover(to.x, to.y);
      return;
    }
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.travel += Math.hypot(to.x - from.x, to.y - from.y);
    this.pointers.set(event.pointerId, to);
    if (other) {
      const apart = Math.hypot(from.x - other.x, from.y - other.y);
      const factor = apart > 0 ? Math.hypot(to.x - other.x, to.y - other.y) / apart : 1;
      this.map.zoom(factor, (to.x + other.x) / 2, (to.y + other.y) / 2);
    }
    if (this.travel < TAP_SLACK) return;
    const share = other ? 0.5 : 1;
    this.map.view.x -= ((to.x - from.x) * share) / this.map.view.scale;
    this.map.view.y -= ((to.y - from.y) * share) / this.map.view.scale;
    this.map.moved();
  }

  /** @param {PointerEvent} event */
  release(event) {
    const isTap = this.pointers.size === 1 && this.travel < TAP_SLACK && event.type === "pointerup";
    const { x, y } = this.at(event);
    this.pointers.delete(event.pointerId);
    if (isTap) this.tap(x, y);
  }

  /**
   * @param {number} atX
   * @param {number} atY
   */
  hover(atX, atY) {
    const isClose = this.map.view.scale * SPACING >= CHOSEN_SEAT_MIN;
    const seat = isClose ? this.map.seatAt(atX, atY) : -1;
    this.caption(seat);
    this.map.element.classList.toggle("is-on-seat", seat >= 0);
  }

  /**
   * @param {number} atX
   * @param {number} atY
   */
  tap(atX, atY) {
    if (this.map.view.scale * SPACING < CHOSEN_SEAT_MIN) {
      this.map.zoom(CLOSE_SEAT / (SPACING * this.map.view.scale), atX, atY);
      return;
    }
    const seat = this.map.seatAt(atX, atY);
    if (seat < 0) return;
    this.map.focused = seat;
    this.map.page.toggle(seat);
    this.caption(seat);
    this.map.draw();
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    // Whoever sees all of it already scrolls on down the page.
    if (event.deltaY > 0 && this.map.isWhole()) return;
    event.preventDefault();
    const step = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY;
    const { x, y } = this.at(event);
    this.map.zoom(Math.exp(-Math.max(-120, Math.min(120, step)) / 300), x, y);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    /** @type {Record<string, [number, number]>} */
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const way = ways[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (way) this.step(way[0], way[1]);
    else if (event.key === "Enter" || event.key === " ") {
      if (this.map.focused >= 0) {
        this.map.page.toggle(this.map.focused);
        this.caption(this.map.focused);
      }
    } else if (event.key === "+" || event.key === "=") this.map.zoom(1.5);
    else if (event.key === "-") this.map.zoom(1 / 1.5);
    else if (event.key === "0") this.map.showAll();
    else return;
    event.preventDefault();
    this.map.draw();
  }

  /**
   * Goes to the next seat in a direction; at first to one in the middle.
   * @param {number} stepX
   * @param {number} stepY
   */
  step(stepX, stepY) {
    const { x, y, count } = this.map.hall;
    const from = this.map.focused >= 0 ? { x: x[this.map.focused], y: y[this.map.focused] } : { x: this.map.view.x, y: this.map.view.y };
    let [best, least] = [-1, Infinity];
    for (let seat = 0; seat < count; seat++) {
      const [right, down] = [x[seat] - from.x, y[seat] - from.y];
      const along = right * stepX + down * stepY;
      const aside = Math.abs(right * stepY) + Math.abs(down * stepX);
      if (this.map.focused >= 0 && (along < SPACING * 0.3 || aside > 2 * along)) continue;
      const distance = this.map.focused >= 0 ? along + 2 * aside : Math.hypot(right, down);
      if (distance < least) [best, least] = [seat, distance];
    }
    if (best < 0) return;
    this.map.focused = best;
    this.map.showSeat(best);
    this.map.page.point(best);
    this.caption(best);
  }
}
