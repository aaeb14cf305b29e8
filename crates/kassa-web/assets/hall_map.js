// @ts-check
// The picture of a hall. Seats are drawn into tiles once, and frames put tiles together: a hall of ten thousand seats is
// moved on a slow phone without a frame that comes late.

import { HELD, TAKEN, UNPRICED } from "./seats_model.js";

/** @typedef {import("./seats_model.js").Hall} Hall */

/** From one seat to its neighbour, in the units of the hall. */
export const SPACING = 40;
/** A tile's side, in pixels of the screen's own. */
const TILE = 256;
/** Zoom levels that have tiles: each this much larger than the one before it. */
const LEVEL_RATIO = Math.SQRT2;
/** Milliseconds of a frame that may go into new tiles. */
const TILE_BUDGET_MS = 3;
/** Tiles that are kept. */
const TILES_MAX = 160;
/** Smaller seats, in pixels, are not chosen: whoever points at one is taken closer. */
export const CHOSEN_SEAT_MIN = 15;
/** How large they are then. */
export const CLOSE_SEAT = 26;
/** From this size on, in pixels, seats show their numbers. */
const NUMBER_SEAT_MIN = 22;
/** A seat at the closest, in pixels. */
const SEAT_MAX = 56;
/** Prices have so many shapes and colours. */
const SHAPES = 6;
/** Seats are found by squares of this side, in units of the hall. */
const CELL = 4 * SPACING;

/** What has been drawn of a part of the hall at a level. @typedef {{ canvas: HTMLCanvasElement, isStale: boolean }} Tile */

export class HallMap {
  /**
   * @param {HTMLElement} place
   * @param {Hall} hall
   * @param {{ chosen: Set<number>, toggle: (seat: number) => void, point: (seat: number) => void }} page
   */
  constructor(place, hall, page) {
    this.hall = hall;
    this.page = page;
    this.canvas = document.createElement("canvas");
    this.canvas.tabIndex = 0;
    place.prepend(this.canvas);
    this.context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    this.place = place;
    /** The hall's middle that is in the middle of the picture, and pixels per unit. */
    this.view = { x: 0, y: 0, scale: 1 };
    /** @type {Map<string, Tile>} */
    this.tiles = new Map();
    /** @type {Map<string, HTMLCanvasElement>} */
    this.sprites = new Map();
    /** The hall in one picture, and pixels per unit. @type {{ canvas: HTMLCanvasElement, scale: number } | null} */
    this.overview = null;
    /** The size of the canvas in pixels of pages, and how many of the screen's own these are. */
    this.width = 0;
    this.height = 0;
    this.ratio = 1;
    this.paintMs = 0;
    this.focused = -1;
    this.isAsked = false;
    this.frames = 0;
    this.box = measure(hall);
    // The stage stands before the first row.
    this.stageY = this.box.top + SPACING;
    this.colours = coloursOf(place);
    this.grid = gridOf(hall);
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.readColours();
      this.draw();
    });
    this.resize();
  }

  readColours() {
    this.colours = coloursOf(this.place);
    this.tiles.clear();
    this.sprites.clear();
    this.overview = null;
  }

  /**
   * The seats whose middles are in a part of the hall, in no order.
   * @param {number} left
   * @param {number} top
   * @param {number} right
   * @param {number} bottom
   * @param {(seat: number) => void} visit
   */
  seatsIn(left, top, right, bottom, visit) {
    const { x, y } = this.hall;
    for (let column = Math.floor(left / CELL); column <= Math.floor(right / CELL); column++) {
      for (let line = Math.floor(top / CELL); line <= Math.floor(bottom / CELL); line++) {
        for (const seat of this.grid.get(`${column} ${line}`) ?? []) {
          if (x[seat] >= left && x[seat] <= right && y[seat] >= top && y[seat] <= bottom) visit(seat);
        }
      }
    }
  }

  /**
   * The nearest seat within a finger's reach; -1 if there is none.
   * @param {number} atX
   * @param {number} atY
   */
  seatAt(atX, atY) {
    const [x, y] = this.toHall(atX, atY);
    const reach = Math.max(SPACING * 0.6, 12 / this.view.scale);
    let [best, least] = [-1, reach];
    this.seatsIn(x - reach, y - reach, x + reach, y + reach, (seat) => {
      const distance = Math.hypot(this.hall.x[seat] - x, this.hall.y[seat] - y);
      if (distance <= least) [best, least] = [seat, distance];
    });
    return best;
  }

  // Size and view

  resize() {
    const { width, height } = this.canvas.getBoundingClientRect();
    if (width === 0) return;
    this.ratio = Math.min(devicePixelRatio || 1, 2);
    const isFirst = this.width === 0;
    const wasWhole = !isFirst && this.view.scale <= this.fitScale() * 1.01;
    [this.width, this.height] = [width, height];
    this.canvas.width = Math.round(width * this.ratio);
    this.canvas.height = Math.round(height * this.ratio);
    this.tiles.clear();
    this.sprites.clear();
    this.overview = null;
    if (isFirst || wasWhole) this.showAll();
    else this.moved();
  }

  fitScale() {
    const { left, right, top, bottom } = this.box;
    return Math.min(this.width / (right - left), this.height / (bottom - top), SEAT_MAX / SPACING);
  }

  showAll() {
    const { left, right, top, bottom } = this.box;
    this.view = { x: (left + right) / 2, y: (top + bottom) / 2, scale: this.fitScale() };
    this.moved();
  }

  /**
   * @param {number} factor
   * @param {number} [atX] what stays where it is, in pixels of the canvas
   * @param {number} [atY]
   */
  zoom(factor, atX = this.width / 2, atY = this.height / 2) {
    const scale = Math.max(this.fitScale(), Math.min(SEAT_MAX / SPACING, this.view.scale * factor));
    const [x, y] = this.toHall(atX, atY);
    this.view = { x: x - (atX - this.width / 2) / scale, y: y - (atY - this.height / 2) / scale, scale };
    this.moved();
  }

  /** @param {number} seat */
  showSeat(seat) {
    const [x, y] = this.toScreen(this.hall.x[seat], this.hall.y[seat]);
    const margin = Math.min(48, this.width / 4);
    const isSeen = x > margin && x < this.width - margin && y > margin && y < this.height - margin;
    const isLarge = this.view.scale * SPACING >= CHOSEN_SEAT_MIN;
    if (!isLarge) this.view.scale = CLOSE_SEAT / SPACING;
    if (!isSeen || !isLarge) [this.view.x, this.view.y] = [this.hall.x[seat], this.hall.y[seat]];
    this.moved();
  }

  moved() {
    const { left, right, top, bottom } = this.box;
    const clamp = (/** @type {number} */ at, /** @type {number} */ low, /** @type {number} */ high) =>
      low > high ? (low + high) / 2 : Math.max(low, Math.min(high, at));
    const [halfWidth, halfHeight] = [this.width / 2 / this.view.scale, this.height / 2 / this.view.scale];
    this.view.x = clamp(this.view.x, left + halfWidth, right - halfWidth);
    this.view.y = clamp(this.view.y, top + halfHeight, bottom - halfHeight);
    // Whoever sees the whole hall scrolls the page with one finger.
    this.canvas.classList.toggle("is-close", this.view.scale > this.fitScale() * 1.01);
    this.draw();
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  toHall(x, y) {
    const { view } = this;
    return [view.x + (x - this.width / 2) / view.scale, view.y + (y - this.height / 2) / view.scale];
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  toScreen(x, y) {
    const { view } = this;
    return [(x - view.x) * view.scale + this.width / 2, (y - view.y) * view.scale + this.height / 2];
  }

  // Drawing

  /** Draws with the next frame. */
  draw() {
    if (this.isAsked) return;
    this.isAsked = true;
    requestAnimationFrame(() => {
      this.isAsked = false;
      this.paint();
    });
  }

  paint() {
    if (!this.width) return;
    const { context, view, ratio } = this;
    const start = performance.now();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    const level = Math.round(Math.log(view.scale * ratio) / Math.log(LEVEL_RATIO));
    const tileScale = LEVEL_RATIO ** level;
    const unit = TILE / tileScale;
    const [left, top] = this.toHall(0, 0);
    const [right, bottom] = this.toHall(this.width, this.height);
    const zoom = (view.scale * ratio) / tileScale;
    let isWhole = true;
    for (let column = Math.floor(left / unit); column <= Math.floor(right / unit); column++) {
      for (let line = Math.floor(top / unit); line <= Math.floor(bottom / unit); line++) {
        const key = `${level} ${column} ${line}`;
        let tile = this.tiles.get(key);
        if ((!tile || tile.isStale) && performance.now() - start < TILE_BUDGET_MS) {
          tile = this.makeTile(key, column * unit, line * unit, unit, tileScale, tile);
        }
        isWhole &&= Boolean(tile && !tile.isStale);
        const [x, y] = this.toScreen(column * unit, line * unit);
        // Whole pixels at both ends: no gap between tiles.
        const [fromX, fromY] = [Math.round(x * ratio), Math.round(y * ratio)];
        const [toX, toY] = [Math.round(x * ratio + TILE * zoom), Math.round(y * ratio + TILE * zoom)];
        if (tile) context.drawImage(tile.canvas, fromX, fromY, toX - fromX, toY - fromY);
        else this.paintOverview(column * unit, line * unit, unit, fromX, fromY, toX - fromX, toY - fromY);
      }
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.paintStage();
    for (const seat of this.page.chosen) this.paintChosen(seat);
    if (this.focused >= 0 && document.activeElement === this.canvas) this.paintFocus(this.focused);
    this.frames++;
    this.paintMs = performance.now() - start;
    if (!isWhole) this.draw();
  }

  /** The whole hall in one picture, small: what is seen until tiles are there. */
  makeOverview() {
    const { left, right, top, bottom } = this.box;
    const scale = Math.min(900 / (right - left), 900 / (bottom - top), this.ratio * this.fitScale());
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [Math.ceil((right - left) * scale), Math.ceil((bottom - top) * scale)];
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    const { hall, colours } = this;
    const side = Math.max(1, SPACING * 0.62 * scale);
    const all = [...colours.shapes, colours.taken, colours.ink, colours.muted];
    const paths = all.map(() => new Path2D());
    for (let seat = 0; seat < hall.count; seat++) {
      const [x, y] = [(hall.x[seat] - left) * scale, (hall.y[seat] - top) * scale];
      paths[hall.kind(seat)].rect(x - side / 2, y - side / 2, side, side);
    }
    all.forEach((colour, kind) => {
      context.fillStyle = colour;
      context.fill(paths[kind]);
    });
    return { canvas, scale };
  }

  /**
   * @param {number} left
   * @param {number} top
   * @param {number} unit
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   */
  paintOverview(left, top, unit, x, y, width, height) {
    this.overview ??= this.makeOverview();
    const { canvas, scale } = this.overview;
    const [fromX, fromY, side] = [(left - this.box.left) * scale, (top - this.box.top) * scale, unit * scale];
    this.context.drawImage(canvas, fromX, fromY, side, side, x, y, width, height);
  }

  /**
   * @param {string} key
   * @param {number} left
   * @param {number} top
   * @param {number} unit
   * @param {number} scale
   * @param {Tile} [old]
   */
  makeTile(key, left, top, unit, scale, old) {
    const canvas = old?.canvas ?? document.createElement("canvas");
    canvas.width = canvas.height = TILE;
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    const { hall } = this;
    const size = Math.max(2, Math.round(SPACING * scale));
    const hasNumbers = (SPACING * scale) / this.ratio >= NUMBER_SEAT_MIN;
    if (hasNumbers) {
      context.font = `600 ${Math.round(size * 0.34)}px system-ui, sans-serif`;
      context.textAlign = "center";
      context.textBaseline = "middle";
    }
    this.seatsIn(left - SPACING, top - SPACING, left + unit + SPACING, top + unit + SPACING, (seat) => {
      const [x, y] = [(hall.x[seat] - left) * scale, (hall.y[seat] - top) * scale];
      const kind = hall.kind(seat);
      context.drawImage(this.sprite(kind, size), x - size / 2, y - size / 2);
      if (!hasNumbers || kind === TAKEN || kind === HELD) return;
      context.fillStyle = kind === UNPRICED ? this.colours.ink : this.colours.onSeat;
      context.fillText(String(hall.number(seat)), x, y);
    });
    const tile = { canvas, isStale: false };
    this.tiles.delete(key);
    this.tiles.set(key, tile);
    if (this.tiles.size > TILES_MAX) this.tiles.delete(/** @type {string} */ (this.tiles.keys().next().value));
    return tile;
  }

  /**
   * A seat of a shape, or one of no price that can be had.
   * @param {number} shape
   * @param {number} size
   */
  sprite(shape, size) {
    const key = `${shape} ${size}`;
    const known = this.sprites.get(key);
    if (known) return known;
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = size;
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.translate(size / 2, size / 2);
    if (shape >= SHAPES) {
      context.strokeStyle = shape === HELD ? this.colours.ink : shape === TAKEN ? this.colours.taken : this.colours.muted;
      context.lineWidth = Math.max(1, size * 0.07);
      context.beginPath();
      context.arc(0, 0, size * (shape === TAKEN ? 0.17 : 0.36), 0, 2 * Math.PI);
      // What is held back is crossed out.
      if (shape === HELD) {
        context.moveTo(-size * 0.25, size * 0.25);
        context.lineTo(size * 0.25, -size * 0.25);
      }
      context.stroke();
    } else {
      context.fillStyle = this.colours.shapes[shape];
      tracePath(context, shape, size * 0.43);
      context.fill();
    }
    this.sprites.set(key, canvas);
    return canvas;
  }

  paintStage() {
    const { context, colours } = this;
    const [x, y] = this.toScreen((this.box.left + this.box.right) / 2, this.stageY);
    const half = Math.min(((this.box.right - this.box.left) * this.view.scale) / 4, 8 * SPACING * this.view.scale);
    const height = Math.max(4, SPACING * 0.5 * this.view.scale);
    context.fillStyle = colours.line;
    context.beginPath();
    context.roundRect(x - half, y - height / 2, 2 * half, height, height / 2);
    context.fill();
    const size = Math.max(11, Math.min(16, SPACING * this.view.scale * 0.5));
    context.fillStyle = colours.muted;
    context.font = `600 ${size}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(this.hall.data.texts.stage, x, y - height / 2 - size * 0.9 < 4 ? y : y - height / 2 - size * 0.8);
  }

  /** @param {number} seat */
  paintChosen(seat) {
    const { context, colours } = this;
    const [x, y] = this.toScreen(this.hall.x[seat], this.hall.y[seat]);
    const radius = Math.max(5, SPACING * 0.46 * this.view.scale);
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fillStyle = colours.ink;
    context.fill();
    context.beginPath();
    context.moveTo(x - radius * 0.45, y + radius * 0.02);
    context.lineTo(x - radius * 0.12, y + radius * 0.36);
    context.lineTo(x + radius * 0.48, y - radius * 0.34);
    context.lineWidth = Math.max(1.5, radius * 0.2);
    context.lineCap = context.lineJoin = "round";
    context.strokeStyle = colours.surface;
    context.stroke();
  }

  /** @param {number} seat */
  paintFocus(seat) {
    const { context, colours } = this;
    const [x, y] = this.toScreen(this.hall.x[seat], this.hall.y[seat]);
    const radius = Math.max(9, SPACING * 0.6 * this.view.scale);
    for (const [width, colour] of /** @type {[number, string][]} */ ([[6, colours.surface], [3, colours.ink]])) {
      context.beginPath();
      context.arc(x, y, radius, 0, 2 * Math.PI);
      context.lineWidth = width;
      context.strokeStyle = colour;
      context.stroke();
    }
  }

  /** Draws seats anew that can be had now, or no more. @param {number[]} seats */
  update(seats) {
    if (seats.length === 0) return;
    for (const [key, tile] of this.tiles) {
      const [level, column, line] = key.split(" ").map(Number);
      const unit = TILE / LEVEL_RATIO ** level;
      const [left, top] = [column * unit - SPACING, line * unit - SPACING];
      const reach = unit + 2 * SPACING;
      const { x, y } = this.hall;
      tile.isStale ||= seats.some((seat) => x[seat] >= left && x[seat] <= left + reach && y[seat] >= top && y[seat] <= top + reach);
    }
    this.overview = null;
    this.draw();
  }
}

/** What of the plane a hall takes, with its stage. @param {Hall} hall */
function measure({ x, y, count }) {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (let seat = 0; seat < count; seat++) {
    box.left = Math.min(box.left, x[seat] - SPACING);
    box.right = Math.max(box.right, x[seat] + SPACING);
    box.top = Math.min(box.top, y[seat] - 3.4 * SPACING);
    box.bottom = Math.max(box.bottom, y[seat] + SPACING);
  }
  return box;
}

/** The colours of the page, light or dark. @param {HTMLElement} place */
function coloursOf(place) {
  const style = getComputedStyle(place);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  return {
    shapes: Array.from({ length: SHAPES }, (_, shape) => colour(`--seat-${shape}`)),
    taken: colour("--seat-taken"),
    onSeat: colour("--on-seat"),
    ink: colour("--ink"),
    muted: colour("--muted"),
    line: colour("--line"),
    surface: colour("--surface"),
  };
}

/** Seats by squares of the hall, so that those of a place are found without a look at all. @param {Hall} hall */
function gridOf({ x, y, count }) {
  /** @type {Map<string, number[]>} */
  const grid = new Map();
  for (let seat = 0; seat < count; seat++) {
    const key = `${Math.floor(x[seat] / CELL)} ${Math.floor(y[seat] / CELL)}`;
    const here = grid.get(key);
    if (here) here.push(seat);
    else grid.set(key, [seat]);
  }
  return grid;
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
