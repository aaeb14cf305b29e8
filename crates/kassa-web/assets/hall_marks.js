// @ts-check
// What lies over the seats in the picture of a hall: the stage, the seats that are chosen, and the one that the keys are at.

import { SPACING } from "./hall_painter.js";

/** @typedef {import("./seats_model.js").Hall} Hall */
/** Where something is, in pixels of the screen. @typedef {(x: number, y: number) => [number, number]} Place */

/** How wide the stage is, as a part of the hall, and in units of the hall at most. */
const STAGE_PART = 0.5;
const STAGE_MAX = 16 * SPACING;
/** What it takes at least, in pixels of the page: its sides, and its letters. */
const STAGE_WIDTH_MIN = 96;
const STAGE_HEIGHT = 26;
const STAGE_LETTERS = 13;
/** From the stage to the seats, in pixels of the page. */
const STAGE_GAP = 4;

export class HallMarks {
  /**
   * @param {Hall} hall
   * @param {HTMLElement} place where the colours are said
   */
  constructor(hall, place) {
    this.hall = hall;
    this.place = place;
    this.style = styleOf(place);
  }

  /** Takes the colours that are in force now. */
  readColours() {
    this.style = styleOf(this.place);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Place} place
   * @param {number} ratio pixels of the screen for one of the page
   * @param {{ left: number, right: number, top: number }} box
   */
  drawStage(context, place, ratio, { left, right, top }) {
    const [middle, bottom] = place((left + right) / 2, top);
    const [from] = place((left + right) / 2 - Math.min((right - left) * STAGE_PART, STAGE_MAX) / 2, top);
    const half = Math.max(middle - from, (STAGE_WIDTH_MIN / 2) * ratio);
    const height = STAGE_HEIGHT * ratio;
    const above = bottom - STAGE_GAP * ratio - height;
    if (above + height < 0 || middle + half < 0 || middle - half > context.canvas.width) return;
    context.fillStyle = this.style.sunk;
    context.beginPath();
    context.roundRect(middle - half, above, 2 * half, height, [4 * ratio, 4 * ratio, height / 2, height / 2]);
    context.fill();
    context.fillStyle = this.style.muted;
    context.font = `650 ${STAGE_LETTERS * ratio}px ${this.style.font}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(this.hall.data.texts.stage, middle, above + height / 2);
  }

  /**
   * A seat that is chosen: a tick in a circle.
   * @param {CanvasRenderingContext2D} context
   * @param {[number, number]} at
   * @param {number} radius
   */
  drawChosen(context, [x, y], radius) {
    context.fillStyle = this.style.ink;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
    this.drawTick(context, [x, y], radius, this.style.surface);
  }

  /**
   * A seat that is in an order of whoever looks at it: a tick in a ring.
   * @param {CanvasRenderingContext2D} context
   * @param {[number, number]} at
   * @param {number} radius
   */
  drawOwn(context, [x, y], radius) {
    context.fillStyle = this.style.surface;
    context.strokeStyle = this.style.ink;
    context.lineWidth = Math.max(1.5, radius * 0.18);
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
    this.drawTick(context, [x, y], radius, this.style.ink);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {[number, number]} at
   * @param {number} radius
   * @param {string} colour
   */
  drawTick(context, [x, y], radius, colour) {
    context.beginPath();
    context.moveTo(x - radius * 0.42, y + radius * 0.02);
    context.lineTo(x - radius * 0.12, y + radius * 0.34);
    context.lineTo(x + radius * 0.46, y - radius * 0.34);
    context.lineWidth = Math.max(1.5, radius * 0.22);
    context.lineCap = context.lineJoin = "round";
    context.strokeStyle = colour;
    context.stroke();
  }

  /**
   * The seat that the keys are at: a ring that is seen on every colour.
   * @param {CanvasRenderingContext2D} context
   * @param {[number, number]} at
   * @param {number} radius
   * @param {number} ratio
   */
  drawFocus(context, [x, y], radius, ratio) {
    for (const [width, colour] of /** @type {[number, string][]} */ ([[7, this.style.surface], [3, this.style.ink]])) {
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.lineWidth = width * ratio;
      context.strokeStyle = colour;
      context.stroke();
    }
  }
}

/** The letters and colours of the page, light or dark. @param {HTMLElement} place */
function styleOf(place) {
  const style = getComputedStyle(place);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  return { ink: colour("--ink"), surface: colour("--surface"), sunk: colour("--sunk"), muted: colour("--muted"), font: style.fontFamily };
}
