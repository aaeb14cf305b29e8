// @ts-check
// Fingers, the mouse and keys, on the picture of a hall.

import { CHOSEN_SEAT_MIN, CLOSE_SEAT, SPACING } from "./hall_map.js";

/** A pointer that moves less than this, in pixels, is a tap. */
const TAP_SLACK = 7;

/** What people do with a picture of a hall. */
export class HallHands {
  /** @param {import("./hall_map.js").HallMap} map */
  constructor(map) {
    this.map = map;
    /** Fingers and the mouse: where they are. @type {Map<number, { x: number, y: number }>} */
    this.pointers = new Map();
    this.travel = 0;
    const { canvas } = map;
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) {
      canvas.addEventListener(end, (event) => this.release(event));
    }
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("keydown", (event) => this.key(event));
    for (const change of ["focus", "blur"]) canvas.addEventListener(change, () => map.draw());
  }

  /** @param {PointerEvent} event */
  press(event) {
    this.map.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    if (this.pointers.size === 1) this.travel = 0;
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const from = this.pointers.get(event.pointerId);
    if (!from) return;
    const to = { x: event.offsetX, y: event.offsetY };
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
    this.pointers.delete(event.pointerId);
    if (isTap) this.tap(event.offsetX, event.offsetY);
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
    this.map.draw();
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    event.preventDefault();
    const step = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY;
    this.map.zoom(Math.exp(-Math.max(-120, Math.min(120, step)) / 300), event.offsetX, event.offsetY);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    /** @type {Record<string, [number, number]>} */
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const way = ways[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (way) this.step(way[0], way[1]);
    else if (event.key === "Enter" || event.key === " ") {
      if (this.map.focused >= 0) this.map.page.toggle(this.map.focused);
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
  }
}
