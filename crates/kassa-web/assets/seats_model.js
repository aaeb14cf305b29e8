// @ts-check
// The seats of an event: their names and places, which of them can be had, and what to say of a choice.

/**
 * @typedef {{ price: string, text: string, shape: number }} SetPrice
 * @typedef {{
 *   event: string, language: string, currency: string | null, limit: number, singles: string,
 *   sets: Record<string, SetPrice>, texts: Record<string, string>, own?: [string, string][],
 * }} PageData
 * @typedef {[string, [number, number][], number[]]} RowFile a name, ranges of numbers, a point and steps
 * @typedef {{ sets: { id: string, name: string, sector: string | null, rows: RowFile[] }[] }} HallFile
 * @typedef {{ name: string, first: number, numbers: number[] }} Row its seats are `first`, `first + 1`, …
 * @typedef {{ id: string, name: string, first: number, count: number, rows: Row[], byName: Map<string, Row>, price: SetPrice }} SeatSet
 * @typedef {{ id: string, on_sale: boolean, free?: string, held?: string, taken?: number[], freed?: number[] }} SetState
 */

/** What is drawn of a seat besides the shapes of prices, which are fewer. */
export const TAKEN = 6;
/** Held back by the organizer, who alone sees that. */
export const HELD = 7;
/** Without a price. */
export const UNPRICED = 8;

/** A row further off counts as much as so many seats to the side, where the nearest seats are looked for. */
const ROW_WEIGHT = 2;

/** All seats, by their index: those of a set follow each other in the order of its bits. */
export class Hall {
  /**
   * @param {HallFile} file
   * @param {PageData} data
   */
  constructor(file, data) {
    this.data = data;
    /** @type {SeatSet[]} */
    this.sets = [];
    const count = file.sets.reduce((sum, set) => sum + set.rows.reduce((all, row) => all + seatsIn(row), 0), 0);
    this.count = count;
    this.x = new Float32Array(count);
    this.y = new Float32Array(count);
    this.setOf = new Uint16Array(count);
    this.rowOf = new Uint16Array(count);
    /** Which can be had: those that are free, of sets that are on sale. */
    this.free = new Uint8Array(count);
    this.held = new Uint8Array(count);
    this.bits = new Uint8Array(count);
    let at = 0;
    for (const { id, name, rows } of file.sets) {
      const price = data.sets[id] ?? { price: "0.00", text: "", shape: 0 };
      /** @type {SeatSet} */
      const set = { id, name, first: at, count: 0, rows: [], byName: new Map(), price };
      for (const row of rows) at = this.addRow(set, row, at);
      set.count = at - set.first;
      this.sets.push(set);
    }
    /** @type {Map<string, SeatSet>} */
    this.byId = new Map(this.sets.map((set) => [set.id, set]));
  }

  /**
   * @param {SeatSet} set
   * @param {RowFile} row
   * @param {number} at the index of its first seat
   */
  addRow(set, [name, ranges, steps], at) {
    const numbers = [];
    for (const [from, to] of ranges) for (let number = from; number <= to; number++) numbers.push(number);
    let [x, y] = steps;
    for (let seat = 0; seat < numbers.length; seat++) {
      if (seat > 0) {
        const step = steps.length === 4 ? 2 : seat * 2;
        x += steps[step];
        y += steps[step + 1];
      }
      this.x[at + seat] = x;
      this.y[at + seat] = y;
      this.setOf[at + seat] = this.sets.length;
      this.rowOf[at + seat] = set.rows.length;
    }
    const row = { name, first: at, numbers };
    set.rows.push(row);
    set.byName.set(name, row);
    return at + numbers.length;
  }

  /** @param {number} seat */
  set(seat) {
    return this.sets[this.setOf[seat]];
  }

  /** As what it is drawn. @param {number} seat */
  kind(seat) {
    if (this.held[seat]) return HELD;
    return this.free[seat] ? this.set(seat).price.shape : TAKEN;
  }

  /** @param {number} seat */
  row(seat) {
    return this.set(seat).rows[this.rowOf[seat]];
  }

  /** @param {number} seat */
  number(seat) {
    const row = this.row(seat);
    return row.numbers[seat - row.first];
  }

  /** The name of the field by which forms choose it. @param {number} seat */
  field(seat) {
    return `seats.${this.set(seat).id}.${this.row(seat).name}`;
  }

  /** @param {number} seat */
  label(seat) {
    const { texts } = this.data;
    return `${this.set(seat).name}, ${texts["row-in-line"]} ${this.row(seat).name}, ${texts.seat} ${this.number(seat)}`;
  }

  /**
   * The seat of a field and its value; -1 if there is none.
   * @param {string} field
   * @param {string} value
   */
  find(field, value) {
    const [, id, ...name] = field.split(".");
    const row = this.byId.get(id)?.byName.get(name.join("."));
    const at = row ? row.numbers.indexOf(Number(value)) : -1;
    return row && at >= 0 ? row.first + at : -1;
  }

  /**
   * Takes over what is told of sets: the seats that are others now.
   * @param {SetState[]} states
   */
  apply(states) {
    const changed = [];
    for (const { id, on_sale: onSale, free, held, taken = [], freed = [] } of states) {
      const set = this.byId.get(id);
      if (!set) continue;
      const { first } = set;
      if (free !== undefined) setBits(this.bits, first, set.count, free);
      if (held !== undefined) setBits(this.held, first, set.count, held);
      for (const at of taken) this.bits[first + at] = 0;
      for (const at of freed) this.bits[first + at] = 1;
      for (let seat = first; seat < first + set.count; seat++) {
        const state = onSale ? this.bits[seat] : 0;
        if (this.free[seat] !== state) {
          this.free[seat] = state;
          changed.push(seat);
        }
      }
    }
    return changed;
  }

  /**
   * The free seat of the same set that is nearest to one; -1 if there is none.
   * @param {number} seat
   * @param {Set<number>} chosen
   */
  nearest(seat, chosen) {
    const set = this.set(seat);
    let [best, least] = [-1, Infinity];
    for (let other = set.first; other < set.first + set.count; other++) {
      if (!this.free[other] || chosen.has(other)) continue;
      const aside = Math.hypot(this.x[other] - this.x[seat], this.y[other] - this.y[seat]) / 40;
      const distance = aside + (this.rowOf[other] === this.rowOf[seat] ? 0 : ROW_WEIGHT);
      if (distance < least) [best, least] = [other, distance];
    }
    return best;
  }

  /**
   * The seats that a choice leaves single where the same groups could sit elsewhere: what the server says of it, too.
   * @param {Set<number>} chosen
   */
  singles(chosen) {
    /** @type {number[]} */
    const found = [];
    const sets = new Set(Array.from(chosen, (seat) => this.set(seat)));
    for (const set of sets) {
      /** @type {number[][]} */
      const [groups, runs, alone] = [[], [], []];
      for (const row of set.rows) {
        const free = runsOf(row, (seat) => this.free[seat] === 1);
        const picked = runsOf(row, (seat) => this.free[seat] === 1 && chosen.has(seat));
        const left = runsOf(row, (seat) => this.free[seat] === 1 && !chosen.has(seat));
        runs.push(...free.map(([from, to]) => to - from + 1));
        groups.push(...picked.map(([from, to]) => to - from + 1));
        const was = new Set(free.filter(([from, to]) => from === to).map(([from]) => from));
        alone.push(...left.filter(([from, to]) => from === to && !was.has(from)).map(([from]) => from));
      }
      if (alone.length > 0 && fit(groups, runs)) found.push(...alone);
    }
    return found;
  }
}

/**
 * @param {Uint8Array} seats
 * @param {number} first
 * @param {number} count
 * @param {string} text the bits of seats from `first` on, in base64
 */
function setBits(seats, first, count, text) {
  const bytes = Uint8Array.from(atob(text), (digit) => digit.charCodeAt(0));
  for (let at = 0; at < count; at++) seats[first + at] = (bytes[at >> 3] >> (at & 7)) & 1;
}

/** @param {RowFile} row */
function seatsIn([, ranges]) {
  return ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
}

/**
 * Neighbours in a row: the first and the last seat of each run.
 * @param {Row} row
 * @param {(seat: number) => boolean} counts
 */
function runsOf(row, counts) {
  /** @type {[number, number][]} */
  const runs = [];
  for (let at = 0; at < row.numbers.length; at++) {
    const seat = row.first + at;
    if (!counts(seat)) continue;
    const last = runs[runs.length - 1];
    const continues = last && last[1] === seat - 1 && row.numbers[at - 1] === row.numbers[at] - 1;
    if (continues) last[1] = seat;
    else runs.push([seat, seat]);
  }
  return runs;
}

/**
 * Whether groups fit into runs so that each leaves nothing, or two seats at least.
 * @param {number[]} groups
 * @param {number[]} runs
 */
function fit(groups, runs) {
  for (const group of [...groups].sort((one, other) => other - one)) {
    let best = -1;
    runs.forEach((run, at) => {
      if ((run === group || run >= group + 2) && (best < 0 || run < runs[best])) best = at;
    });
    if (best < 0) return false;
    runs[best] -= group;
  }
  return true;
}
