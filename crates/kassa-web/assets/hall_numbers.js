// @ts-check
// The numbers of seats, drawn once for each size, and copied from then on.

/** What a number is shown in, as parts of a seat's size. */
const WIDTH = 0.84;
const HEIGHT = 0.44;
const LETTERS = 0.34;

/** The numbers of seats at one size: how much of each pixel they cover. */
export class SeatNumbers {
  /** @param {number} size a seat's, in pixels */
  constructor(size) {
    this.size = size;
    this.width = Math.ceil(size * WIDTH);
    this.height = Math.ceil(size * HEIGHT);
    /** @type {Map<number, Uint8Array>} */
    this.covers = new Map();
  }

  /** Draws those of some numbers that were not there yet, all at once. @param {Iterable<number>} numbers */
  prepare(numbers) {
    const missing = [...new Set(numbers)].filter((number) => !this.covers.has(number));
    if (missing.length === 0) return;
    const { width, height } = this;
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [width, height * missing.length];
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
    context.font = `600 ${Math.round(this.size * LETTERS)}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    missing.forEach((number, at) => context.fillText(String(number), width / 2, height * (at + 0.5), width));
    const { data } = context.getImageData(0, 0, width, height * missing.length);
    missing.forEach((number, at) => {
      const cover = new Uint8Array(width * height);
      for (let pixel = 0; pixel < cover.length; pixel++) cover[pixel] = data[4 * (at * cover.length + pixel) + 3];
      this.covers.set(number, cover);
    });
  }

  /**
   * Lays a number that is there over pixels, around a point.
   * @param {Uint32Array} target
   * @param {number} targetWidth
   * @param {number} targetHeight
   * @param {number} number
   * @param {number} colour as pixels have it
   * @param {number} x
   * @param {number} y
   */
  copy(target, targetWidth, targetHeight, number, colour, x, y) {
    const cover = this.covers.get(number);
    if (!cover) return;
    const { width, height } = this;
    const [left, top] = [Math.round(x - width / 2), Math.round(y - height / 2)];
    const [fromX, toX] = [Math.max(0, -left), Math.min(width, targetWidth - left)];
    const [fromY, toY] = [Math.max(0, -top), Math.min(height, targetHeight - top)];
    for (let line = fromY; line < toY; line++) {
      for (let column = fromX; column < toX; column++) {
        const share = cover[line * width + column];
        if (share === 0) continue;
        const at = (top + line) * targetWidth + left + column;
        target[at] = mix(target[at], colour, share + (share >> 7));
      }
    }
  }
}

/**
 * A pixel with a share of another over it, of 256. Two of its bytes are reckoned at a time.
 * @param {number} below
 * @param {number} above
 * @param {number} share
 */
function mix(below, above, share) {
  const rest = 256 - share;
  const outer = Math.imul(below & 0xff00ff, rest) + Math.imul(above & 0xff00ff, share);
  const inner = Math.imul((below >>> 8) & 0xff, rest) + Math.imul((above >>> 8) & 0xff, share);
  return 0xff000000 | ((outer >>> 8) & 0xff00ff) | (inner & 0xff00);
}
