/** Number of bytes that are compared one by one. A native search is faster only over longer distances. */
export const NEAR_BYTES = 64;

export interface Watched<Leaf> {
  /** Identifies the value to report: a string, or an object without `fields`. */
  readonly leaf?: Leaf;
  /** Fields to watch inside the value. `0` is the first element of an array. */
  readonly fields?: WatchedFields<Leaf>;
}

/** The fields of an object, or the first element of an array, that a `FieldWatcher` watches. */
export class WatchedFields<Leaf> {
  private readonly byName: ReadonlyMap<string, Watched<Leaf>>;
  private readonly firstBytes: ReadonlySet<number>;

  constructor(fields: Readonly<Record<string, Watched<Leaf>>>) {
    this.byName = new Map(Object.entries(fields));
    this.firstBytes = new Set(Object.keys(fields).map((name) => name.charCodeAt(0)));
  }

  get(name: string): Watched<Leaf> | null {
    return this.byName.get(name) ?? null;
  }

  /** Most names differ in their first byte, so no string is created for them. */
  at(bytes: Buffer, from: number, to: number): Watched<Leaf> | null {
    if (!this.firstBytes.has(bytes[from]!) || to - from > NEAR_BYTES) return null;
    return this.get(bytes.toString('latin1', from, to));
  }
}
