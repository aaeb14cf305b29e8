// @ts-check
// The picture of a hall. Its seats are drawn into tiles, each of them once, and a frame copies tiles, pixel for pixel: ten
// thousand seats are moved on a slow phone without a frame that comes late.

import { HallMarks } from "./hall_marks.js";
import { HallPainter, SPACING } from "./hall_painter.js";

/** @typedef {import("./seats_model.js").Hall} Hall */
/** @typedef {{ canvas: HTMLCanvasElement, context: CanvasRenderingContext2D }} Sheet */
/** @typedef {Sheet & { column: number, line: number, isStale: boolean }} Tile */
/** Tiles that are drawn at one scale, in pixels of the page per unit of the hall. @typedef {{ scale: number, tiles: Map<string, Tile> }} Level */
/** The whole hall in one picture, small. @typedef {Sheet & { scale: number, left: number, top: number, isStale: boolean }} Whole */
/** From which column and line to which. @typedef {{ left: number, top: number, right: number, bottom: number }} Span */

/** A tile's side, in pixels of the screen's own. */
const TILE = 256;
/** Milliseconds of a frame that may go into new tiles. */
const TILE_BUDGET_MS = 3;
/** Sheets without a tile that are kept for the next ones. */
const SPARE_MAX = 40;
/** How long nobody has zoomed when tiles are drawn at the scale that there is, in milliseconds. */
const SETTLED_MS = 120;
/** How much tiles are stretched until then, at most. */
const STRETCH_MAX = 1.7;
/** Smaller seats, in pixels, are not chosen: whoever points at one is taken closer. */
export const CHOSEN_SEAT_MIN = 15;
/** How large they are then. */
export const CLOSE_SEAT = 26;
/** From this size on, in pixels, seats show their numbers. */
const NUMBER_SEAT_MIN = 22;
/** A seat at the closest, in pixels. */
const SEAT_MAX = 56;
/** What the stage takes before the first row, in pixels. */
const STAGE = 40;

export class HallMap {
  /**
   * @param {HTMLElement} element what the picture fills
   * @param {Hall} hall
   * @param {{ chosen: Set<number>, own: Set<number>, toggle: (seat: number) => void, point: (seat: number) => void }} page
   */
  constructor(element, hall, page) {
    this.element = element;
    this.hall = hall;
    this.page = page;
    this.painter = new HallPainter(hall, element);
    const { canvas, context } = newSheet();
    canvas.className = "hall__seats";
    this.canvas = canvas;
    this.context = context;
    this.marks = new HallMarks(hall, element);
    element.replaceChildren(canvas);
    /** The hall's middle that is in the middle of the picture, and pixels per unit. */
    this.view = { x: 0, y: 0, scale: 1 };
    /** @type {Whole | null} */
    this.whole = null;
    /** Tiles at the scale that there is, and those that are shown until all of these are there. @type {Level | null} */
    this.level = null;
    /** @type {Level | null} */
    this.former = null;
    /** @type {Sheet[]} */
    this.spare = [];
    /** The size of the picture in pixels of pages, and how many of the screen's own these are. */
    this.width = 0;
    this.height = 0;
    this.ratio = 1;
    this.paintMs = 0;
    this.frames = 0;
    this.focused = -1;
    this.isAsked = false;
    this.zoomedMs = -Infinity;
    this.box = measure(hall);
    // Its first call comes with the first layout of the page, which is not asked for a second time.
    new ResizeObserver(() => this.resize()).observe(element);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.painter.readColours();
      this.marks.readColours();
      this.forget();
      this.draw();
    });
  }

  /** Drops all that is drawn. */
  forget() {
    this.dropLevels();
    this.whole = null;
  }

  dropLevels() {
    for (const level of [this.level, this.former]) this.drop(level);
    [this.level, this.former] = [null, null];
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
    this.painter.grid.visit(x - reach, y - reach, x + reach, y + reach, (seat) => {
      const distance = Math.hypot(this.hall.x[seat] - x, this.hall.y[seat] - y);
      if (distance <= least) [best, least] = [seat, distance];
    });
    return best;
  }

  // Size and view

  resize() {
    const { clientWidth: width, clientHeight: height } = this.element;
    const ratio = Math.min(devicePixelRatio || 1, 2);
    if (width === 0 || (width === this.width && height === this.height && ratio === this.ratio)) return;
    const isFirst = this.width === 0;
    const wasWhole = !isFirst && this.isWhole();
    [this.width, this.height, this.ratio] = [width, height, ratio];
    [this.canvas.width, this.canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    this.forget();
    if (isFirst || wasWhole) this.view = this.wholeView();
    this.moved();
    // This comes between layout and paint: what is drawn now is in this frame.
    this.paint();
  }

  fitScale() {
    const { left, right, top, bottom } = this.box;
    return Math.min(this.width / (right - left), (this.height - STAGE) / (bottom - top), SEAT_MAX / SPACING);
  }

  /** Whether all of the hall is seen. */
  isWhole() {
    return this.view.scale <= this.fitScale() * 1.01;
  }

  wholeView() {
    const { left, right, top, bottom } = this.box;
    const scale = this.fitScale();
    return { x: (left + right) / 2, y: (top - STAGE / scale + bottom) / 2, scale };
  }

  showAll() {
    this.view = this.wholeView();
    this.zoomedMs = performance.now();
    this.moved();
  }

  /**
   * @param {number} factor
   * @param {number} [atX] what stays where it is, in pixels of the picture
   * @param {number} [atY]
   */
  zoom(factor, atX = this.width / 2, atY = this.height / 2) {
    const scale = Math.max(this.fitScale(), Math.min(SEAT_MAX / SPACING, this.view.scale * factor));
    const [x, y] = this.toHall(atX, atY);
    this.view = { x: x - (atX - this.width / 2) / scale, y: y - (atY - this.height / 2) / scale, scale };
    this.zoomedMs = performance.now();
    this.moved();
  }

  /** @param {number} seat */
  showSeat(seat) {
    const [x, y] = this.toScreen(this.hall.x[seat], this.hall.y[seat]);
    const margin = Math.min(48, this.width / 4);
    const isSeen = x > margin && x < this.width - margin && y > margin && y < this.height - margin;
    const isLarge = this.view.scale * SPACING >= CHOSEN_SEAT_MIN;
    if (!isLarge) this.view.scale = Math.max(this.fitScale(), CLOSE_SEAT / SPACING);
    if (!isSeen || !isLarge) [this.view.x, this.view.y] = [this.hall.x[seat], this.hall.y[seat]];
    this.moved();
  }

  moved() {
    const { view, box } = this;
    const clamp = (/** @type {number} */ at, /** @type {number} */ low, /** @type {number} */ high) =>
      low > high ? (low + high) / 2 : Math.max(low, Math.min(high, at));
    const [halfWidth, halfHeight] = [this.width / 2 / view.scale, this.height / 2 / view.scale];
    view.x = clamp(view.x, box.left + halfWidth, box.right - halfWidth);
    view.y = clamp(view.y, box.top - STAGE / view.scale + halfHeight, box.bottom - halfHeight);
    // Whoever sees the whole hall scrolls the page with one finger.
    this.element.classList.toggle("is-close", !this.isWhole());
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
    const { view, ratio } = this;
    const start = performance.now();
    const isDone = this.fill(start);
    // Whole pixels of the screen: what was drawn for them stays sharp.
    const [x, y] = this.toScreen(0, 0).map((at) => Math.round(at * ratio));
    this.copy(x, y);
    this.mark((hallX, hallY) => [x + hallX * view.scale * ratio, y + hallY * view.scale * ratio]);
    this.frames++;
    this.paintMs = performance.now() - start;
    if (!isDone) this.draw();
  }

  /**
   * Copies what is drawn into the picture.
   * @param {number} x where the middle of the hall is, in pixels of the screen
   * @param {number} y
   */
  copy(x, y) {
    const { context, whole, view } = this;
    // What is stretched is so for a moment, in which it moves: speed counts for more.
    context.imageSmoothingEnabled = false;
    const shown = this.former ?? this.level;
    const span = shown ? this.span(shown, 0) : null;
    const isThere = shown && span && countTiles(span) === countTiles(span, shown);
    if (!isThere && whole) {
      context.fillStyle = this.painter.colours.surface;
      context.fillRect(0, 0, this.canvas.width, this.canvas.height);
      const stretch = view.scale / whole.scale;
      const pixels = view.scale * this.ratio;
      const { width, height } = whole.canvas;
      context.drawImage(whole.canvas, x + Math.round(whole.left * pixels), y + Math.round(whole.top * pixels), width * stretch, height * stretch);
    }
    if (!shown || !span) return;
    const stretch = view.scale / shown.scale;
    const at = (/** @type {number} */ origin, /** @type {number} */ index) => Math.round(origin + index * TILE * stretch);
    for (const { canvas, column, line } of shown.tiles.values()) {
      if (column < span.left || column > span.right || line < span.top || line > span.bottom) continue;
      const [left, top] = [at(x, column), at(y, line)];
      context.drawImage(canvas, left, top, at(x, column + 1) - left, at(y, line + 1) - top);
    }
  }

  /** Draws what lies over the seats. @param {import("./hall_marks.js").Place} place */
  mark(place) {
    const { context, marks, ratio, hall, focused } = this;
    const seatSize = SPACING * this.view.scale;
    marks.drawStage(context, place, ratio, this.box);
    for (const seat of this.page.own) {
      marks.drawOwn(context, place(hall.x[seat], hall.y[seat]), Math.max(5, seatSize * 0.42) * ratio);
    }
    for (const seat of this.page.chosen) {
      marks.drawChosen(context, place(hall.x[seat], hall.y[seat]), Math.max(5, seatSize * 0.46) * ratio);
    }
    if (focused >= 0 && document.activeElement === this.element) {
      marks.drawFocus(context, place(hall.x[focused], hall.y[focused]), Math.max(9, seatSize * 0.6) * ratio, ratio);
    }
  }

  /** Draws what is missing, for as long as a frame has time for it: whether nothing is missing any more. @param {number} start */
  fill(start) {
    this.whole ??= this.newWhole();
    if (this.whole.isStale) this.paintWhole(this.whole);
    if (this.view.scale <= this.whole.scale * 1.01) {
      this.dropLevels();
      return true;
    }
    const level = this.sharpLevel();
    if (!this.fillTiles(level, 0, start)) return false;
    this.drop(this.former);
    this.former = null;
    // Those around it are drawn while nobody waits for them.
    return this.fillTiles(level, 1, start);
  }

  /** The tiles to be drawn: while somebody zooms, those that there are are stretched. @returns {Level} */
  sharpLevel() {
    const { level, view } = this;
    if (level) {
      const stretch = Math.max(view.scale / level.scale, level.scale / view.scale);
      if (stretch === 1) return level;
      const settledIn = this.zoomedMs + SETTLED_MS - performance.now();
      if (settledIn > 0 && stretch <= STRETCH_MAX) {
        setTimeout(() => this.draw(), settledIn);
        return level;
      }
      if (this.former) this.drop(level);
      else this.former = level;
    }
    this.level = { scale: view.scale, tiles: new Map() };
    return this.level;
  }

  /**
   * Which tiles of a level are seen, and some more on each side.
   * @param {Level} level
   * @param {number} more
   * @returns {Span}
   */
  span(level, more) {
    const unit = TILE / (level.scale * this.ratio);
    const [left, top] = this.toHall(0, 0).map((at) => Math.floor(at / unit) - more);
    const [right, bottom] = this.toHall(this.width, this.height).map((at) => Math.floor(at / unit) + more);
    return { left, top, right, bottom };
  }

  /**
   * Draws the tiles that are seen, and some more on each side: whether none is missing.
   * @param {Level} level
   * @param {number} more
   * @param {number} start
   */
  fillTiles(level, more, start) {
    const { left, top, right, bottom } = this.span(level, more);
    for (let line = top; line <= bottom; line++) {
      for (let column = left; column <= right; column++) {
        const tile = level.tiles.get(`${column} ${line}`);
        if (tile && !tile.isStale) continue;
        if (performance.now() - start > TILE_BUDGET_MS) return false;
        this.paintTile(level, tile ?? this.newTile(level, column, line));
      }
    }
    if (more === 0) return true;
    for (const [key, tile] of level.tiles) {
      const isFar = tile.column < left - 1 || tile.column > right + 1 || tile.line < top - 1 || tile.line > bottom + 1;
      if (isFar) this.dropTile(level, key, tile);
    }
    return true;
  }

  /**
   * @param {Level} level
   * @param {number} column
   * @param {number} line
   * @returns {Tile}
   */
  newTile(level, column, line) {
    const sheet = this.spare.pop() ?? newSheet(TILE, TILE);
    const tile = { ...sheet, column, line, isStale: true };
    level.tiles.set(`${column} ${line}`, tile);
    return tile;
  }

  /**
   * @param {Level} level
   * @param {Tile} tile
   */
  paintTile(level, tile) {
    const scale = level.scale * this.ratio;
    const unit = TILE / scale;
    this.painter.paint(tile.context, tile.column * unit, tile.line * unit, scale, SPACING * level.scale >= NUMBER_SEAT_MIN);
    tile.isStale = false;
  }

  /** @param {Level | null} level */
  drop(level) {
    if (!level) return;
    for (const [key, tile] of level.tiles) this.dropTile(level, key, tile);
  }

  /**
   * @param {Level} level
   * @param {string} key
   * @param {Tile} tile
   */
  dropTile(level, key, { canvas, context }) {
    level.tiles.delete(key);
    if (this.spare.length < SPARE_MAX) this.spare.push({ canvas, context });
  }

  /** @returns {Whole} */
  newWhole() {
    const { left, right, top, bottom } = this.box;
    const scale = this.fitScale();
    const pixels = scale * this.ratio;
    const corner = { left: Math.floor(left * pixels) / pixels, top: Math.floor(top * pixels) / pixels };
    const sheet = newSheet(Math.ceil((right - corner.left) * pixels), Math.ceil((bottom - corner.top) * pixels));
    return { ...sheet, ...corner, scale, isStale: true };
  }

  /** @param {Whole} whole */
  paintWhole(whole) {
    const { context, left, top, scale } = whole;
    this.painter.paint(context, left, top, scale * this.ratio, SPACING * scale >= NUMBER_SEAT_MIN);
    whole.isStale = false;
  }

  /** Draws seats anew that can be had now, or no more. @param {number[]} seats */
  update(seats) {
    if (seats.length === 0) return;
    const { x, y } = this.hall;
    for (const level of [this.level, this.former]) {
      if (!level) continue;
      const unit = TILE / (level.scale * this.ratio);
      for (const tile of level.tiles.values()) {
        const [left, top] = [tile.column * unit - SPACING, tile.line * unit - SPACING];
        const reach = unit + 2 * SPACING;
        tile.isStale ||= seats.some((seat) => x[seat] >= left && x[seat] <= left + reach && y[seat] >= top && y[seat] <= top + reach);
      }
    }
    if (this.whole) this.whole.isStale = true;
    this.draw();
  }
}

/**
 * @param {number} [width]
 * @param {number} [height]
 * @returns {Sheet}
 */
function newSheet(width = 0, height = 0) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width, height];
  return { canvas, context: /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: false })) };
}

/**
 * How many tiles a span has; those that a level has of it.
 * @param {Span} span
 * @param {Level} [level]
 */
function countTiles({ left, top, right, bottom }, level) {
  let count = 0;
  for (let line = top; line <= bottom; line++) {
    for (let column = left; column <= right; column++) if (!level || level.tiles.has(`${column} ${line}`)) count++;
  }
  return count;
}

/** What of the plane the seats take. @param {Hall} hall */
function measure({ x, y, count }) {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (let seat = 0; seat < count; seat++) {
    box.left = Math.min(box.left, x[seat] - SPACING);
    box.right = Math.max(box.right, x[seat] + SPACING);
    box.top = Math.min(box.top, y[seat] - SPACING);
    box.bottom = Math.max(box.bottom, y[seat] + SPACING);
  }
  return box;
}
