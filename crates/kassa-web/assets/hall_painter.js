// @ts-check
// Draws the seats of a hall: all of them small, or those of a part of it. Seats are copied from pictures of their shapes,
// pixel by pixel, which is many times quicker than drawing each.

import { SeatNumbers } from "./hall_numbers.js";
import { HELD, TAKEN, UNPRICED } from "./seats_model.js";

/** @typedef {import("./seats_model.js").Hall} Hall */
/** @typedef {{ size: number, side: number, phases: number, pixels: Uint32Array, onSeat: number, ink: number }} Shapes what a seat looks like at one size */

/** From one seat to its neighbour, in the units of the hall. */
export const SPACING = 40;
/** Prices have so many shapes and colours; what is of no price has others. */
const SHAPES = TAKEN;
const KINDS = UNPRICED + 1;
/** Parts of a pixel by which small seats are placed, in each direction, so that rows look straight. */
const PHASES = 4;
/** From this size on, in pixels, whole ones do. */
const WHOLE_PIXELS_MIN = 20;
/** Seats are found by squares of this side, in units of the hall. */
const CELL = 4 * SPACING;

export class HallPainter {
  /**
   * @param {Hall} hall
   * @param {HTMLElement} place where the colours are said
   */
  constructor(hall, place) {
    this.hall = hall;
    this.place = place;
    /** What there is to be drawn. */
    this.kinds = new Set([...hall.sets.map(({ price }) => price.shape), TAKEN, HELD]);
    this.grid = new SeatGrid(hall);
    /** @type {Shapes | null} */
    this.shapes = null;
    /** @type {SeatNumbers | null} */
    this.numbers = null;
    /** The picture that was drawn last, and its pixels. @type {ImageData | null} */
    this.image = null;
    this.pixels = new Uint32Array();
    this.colours = coloursOf(place);
  }

  /** Takes the colours that are in force now. */
  readColours() {
    this.colours = coloursOf(this.place);
    this.shapes = null;
  }

  /**
   * Draws the seats of a part of the hall onto a canvas.
   * @param {CanvasRenderingContext2D} context
   * @param {number} left the part's corner, in units of the hall
   * @param {number} top
   * @param {number} scale pixels of the canvas for each unit
   * @param {boolean} hasNumbers
   */
  paint(context, left, top, scale, hasNumbers) {
    const { hall } = this;
    const { width, height } = context.canvas;
    const shapes = this.shapesOf(scale);
    const target = this.paper(width, height, shapes.pixels[0]);
    const margin = shapes.side / scale;
    /** @type {number[]} */
    const numbered = [];
    this.grid.visit(left - margin, top - margin, left + width / scale + margin, top + height / scale + margin, (seat) => {
      const kind = hall.kind(seat);
      copyShape(target, width, height, shapes, kind, (hall.x[seat] - left) * scale, (hall.y[seat] - top) * scale);
      if (hasNumbers && kind !== TAKEN && kind !== HELD) numbered.push(seat);
    });
    if (numbered.length > 0) this.paintNumbers(target, width, height, shapes, numbered, left, top, scale);
    context.putImageData(/** @type {ImageData} */ (this.image), 0, 0);
  }

  /**
   * @param {Uint32Array} target
   * @param {number} width
   * @param {number} height
   * @param {Shapes} shapes
   * @param {number[]} seats
   * @param {number} left
   * @param {number} top
   * @param {number} scale
   */
  paintNumbers(target, width, height, { size, onSeat, ink }, seats, left, top, scale) {
    const { hall } = this;
    if (this.numbers?.size !== size) this.numbers = new SeatNumbers(size);
    this.numbers.prepare(seats.map((seat) => hall.number(seat)));
    for (const seat of seats) {
      const [x, y] = [(hall.x[seat] - left) * scale, (hall.y[seat] - top) * scale];
      this.numbers.copy(target, width, height, hall.number(seat), hall.kind(seat) === UNPRICED ? ink : onSeat, x, y);
    }
  }

  /**
   * The pixels of an empty picture.
   * @param {number} width
   * @param {number} height
   * @param {number} blank
   */
  paper(width, height, blank) {
    if (this.image?.width !== width || this.image.height !== height) {
      this.image = new ImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    return this.pixels.fill(blank);
  }

  /** Every shape at a size, drawn once. @param {number} scale */
  shapesOf(scale) {
    const size = Math.max(2, SPACING * scale);
    if (this.shapes?.size === size) return this.shapes;
    const side = 2 * Math.ceil(size / 2) + 2;
    const phases = size < WHOLE_PIXELS_MIN ? PHASES : 1;
    const canvas = document.createElement("canvas");
    // Two lines more have the colours of numbers.
    [canvas.width, canvas.height] = [side * phases * phases, side * KINDS + 2];
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
    context.fillStyle = this.colours.surface;
    context.fillRect(0, 0, canvas.width, canvas.height);
    for (const kind of this.kinds) {
      for (let phase = 0; phase < phases * phases; phase++) {
        const shift = [phase % phases, Math.floor(phase / phases)].map((part) => part / phases);
        context.setTransform(1, 0, 0, 1, side * phase + side / 2 + shift[0], side * kind + side / 2 + shift[1]);
        this.drawShape(context, kind, size);
      }
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = this.colours.onSeat;
    context.fillRect(0, side * KINDS, canvas.width, 1);
    context.fillStyle = this.colours.ink;
    context.fillRect(0, side * KINDS + 1, canvas.width, 1);
    const pixels = new Uint32Array(context.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
    this.shapes = { size, side, phases, pixels, onSeat: pixels[pixels.length - canvas.width - 1], ink: pixels[pixels.length - 1] };
    return this.shapes;
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} kind
   * @param {number} size
   */
  drawShape(context, kind, size) {
    if (kind >= SHAPES) {
      const { ink, taken, muted } = this.colours;
      context.strokeStyle = kind === HELD ? ink : kind === TAKEN ? taken : muted;
      context.lineWidth = Math.max(1, size * 0.07);
      context.beginPath();
      context.arc(0, 0, size * (kind === TAKEN ? 0.17 : 0.36), 0, 2 * Math.PI);
      // What is held back is crossed out.
      if (kind === HELD) {
        context.moveTo(-size * 0.25, size * 0.25);
        context.lineTo(size * 0.25, -size * 0.25);
      }
      context.stroke();
    } else {
      context.fillStyle = this.colours.shapes[kind];
      tracePath(context, kind, size * 0.43);
      context.fill();
    }
  }
}

/** Seats by squares of the hall, so that those of a place are found without a look at all. */
class SeatGrid {
  /** @param {Hall} hall */
  constructor({ x, y, count }) {
    this.x = x;
    this.y = y;
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let seat = 0; seat < count; seat++) {
      left = Math.min(left, x[seat]);
      right = Math.max(right, x[seat]);
      top = Math.min(top, y[seat]);
      bottom = Math.max(bottom, y[seat]);
    }
    this.box = { left, top, right, bottom };
    this.columns = Math.max(1, Math.floor((right - left) / CELL) + 1);
    this.lines = Math.max(1, Math.floor((bottom - top) / CELL) + 1);
    const cells = Uint32Array.from(x, (at, seat) => Math.floor((y[seat] - top) / CELL) * this.columns + Math.floor((at - left) / CELL));
    /** Where the seats of each square begin among all. */
    this.begins = new Uint32Array(this.columns * this.lines + 1);
    for (const cell of cells) this.begins[cell + 1]++;
    for (let cell = 0; cell + 1 < this.begins.length; cell++) this.begins[cell + 1] += this.begins[cell];
    const next = this.begins.slice();
    this.seats = new Uint32Array(count);
    cells.forEach((cell, seat) => (this.seats[next[cell]++] = seat));
  }

  /**
   * The seats whose middles are in a part of the hall, in no order.
   * @param {number} left
   * @param {number} top
   * @param {number} right
   * @param {number} bottom
   * @param {(seat: number) => void} use
   */
  visit(left, top, right, bottom, use) {
    const { x, y, box } = this;
    const index = (/** @type {number} */ at, /** @type {number} */ count) => Math.max(0, Math.min(count - 1, Math.floor(at / CELL)));
    const [first, last] = [index(left - box.left, this.columns), index(right - box.left, this.columns)];
    const [above, below] = [index(top - box.top, this.lines), index(bottom - box.top, this.lines)];
    for (let line = above; line <= below; line++) {
      // The squares of a line follow each other, and so do their seats.
      const [from, to] = [this.begins[line * this.columns + first], this.begins[line * this.columns + last + 1]];
      for (let at = from; at < to; at++) {
        const seat = this.seats[at];
        if (x[seat] >= left && x[seat] <= right && y[seat] >= top && y[seat] <= bottom) use(seat);
      }
    }
  }
}

/**
 * Copies a shape into pixels, around a point.
 * @param {Uint32Array} target
 * @param {number} width
 * @param {number} height
 * @param {Shapes} shapes
 * @param {number} kind
 * @param {number} x
 * @param {number} y
 */
function copyShape(target, width, height, { side, phases, pixels }, kind, x, y) {
  // The nearest part of a pixel.
  const [partX, partY] = [Math.round(x * phases), Math.round(y * phases)];
  const [wholeX, wholeY] = [Math.floor(partX / phases), Math.floor(partY / phases)];
  const phase = (partY - wholeY * phases) * phases + partX - wholeX * phases;
  const stride = side * phases * phases;
  const blank = pixels[0];
  const [left, top] = [wholeX - (side >> 1), wholeY - (side >> 1)];
  const [fromX, toX] = [Math.max(0, -left), Math.min(side, width - left)];
  const [fromY, toY] = [Math.max(0, -top), Math.min(side, height - top)];
  for (let line = fromY; line < toY; line++) {
    const from = (kind * side + line) * stride + phase * side;
    const to = (top + line) * width + left;
    for (let column = fromX; column < toX; column++) {
      const pixel = pixels[from + column];
      if (pixel !== blank) target[to + column] = pixel;
    }
  }
}

/** The colours of the page, light or dark. @param {HTMLElement} place */
function coloursOf(place) {
  const style = getComputedStyle(place);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  return {
    shapes: Array.from({ length: SHAPES }, (_, shape) => colour(`--seat-${shape}`)),
    taken: colour("--seat-taken"),
    onSeat: colour("--on-seat"),
    surface: colour("--surface"),
    ink: colour("--ink"),
    muted: colour("--muted"),
  };
}

/**
 * The outline of a shape around the middle. Prices differ by it, and not by their colour alone.
 * @param {CanvasRenderingContext2D} context
 * @param {number} shape
 * @param {number} radius
 */
function tracePath(context, shape, radius) {
  context.beginPath();
  if (shape === 0) context.arc(0, 0, radius, 0, 2 * Math.PI);
  else if (shape === 1) context.roundRect(-radius * 0.88, -radius * 0.88, radius * 1.76, radius * 1.76, radius * 0.24);
  else {
    // Corners, and the angle of the first.
    const [corners, turn] = [[4, 0], [3, -0.25], [6, 0], [5, -0.25]][shape - 2];
    for (let corner = 0; corner < corners; corner++) {
      const angle = 2 * Math.PI * (turn + corner / corners);
      const reach = radius * (corners === 3 ? 1.15 : 1.05);
      context.lineTo(Math.cos(angle) * reach, Math.sin(angle) * reach + (corners === 3 ? radius * 0.16 : 0));
    }
    context.closePath();
  }
}
