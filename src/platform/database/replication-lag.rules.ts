/** Positions of the last hour are kept, so a longer lag is reported as one hour. */
const POSITIONS_MAX = 3600;

/** Computes how old the state of a replica is, from positions in the write-ahead log of its primary. Times are monotonic. */
export class ReplicationLag {
  private positions: { readonly position: bigint; readonly atMs: number }[] = [];
  private reached: bigint | null = null;

  /** Called about once per second with the newest position of the primary. A lower one is from another primary. */
  wrote(position: bigint, nowMs: number): void {
    const last = this.positions.at(-1)?.position ?? -1n;
    if (position < last) this.positions = [];
    if (position === last) return;
    this.positions.push({ position, atMs: nowMs });
    if (this.positions.length > POSITIONS_MAX) this.positions.shift();
  }

  /** @param position null if the server does not report one */
  replayed(position: bigint | null): void {
    this.reached = position;
  }

  /** The age of the first known position that the replica has not reached, or 0. Null if it reports no position. */
  seconds(nowMs: number): number | null {
    const { reached } = this;
    if (reached === null) return null;
    const missing = this.positions.find(({ position }) => position > reached);
    return missing === undefined ? 0 : (nowMs - missing.atMs) / 1000;
  }
}
