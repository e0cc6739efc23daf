const LOOSE_MAX = 1024;

/**
 * The pieces of a body as they come off the wire. Small ones are joined by the thousand: a sender of one-byte chunks would
 * else cost some hundred bytes of memory for each byte that is accounted for.
 */
export class BodyPieces {
  private joined: Buffer[] = [];
  private loose: Buffer[] = [];

  push(piece: Buffer): void {
    this.loose.push(piece);
    if (this.loose.length < LOOSE_MAX) return;
    this.joined.push(Buffer.concat(this.loose));
    this.loose = [];
  }

  /** In order; together they are the body. */
  all(): Buffer[] {
    return [...this.joined, ...this.loose];
  }

  /**
   * One Buffer; a single piece is not copied.
   * @param memory to put several together in, with room for all: the Buffer is good until that is written to again
   */
  whole(memory?: Buffer): Buffer {
    if (this.joined.length === 0 && this.loose.length === 1) return this.loose[0]!;
    if (memory === undefined) return Buffer.concat(this.all());
    let at = 0;
    for (const piece of this.all()) at += piece.copy(memory, at);
    return memory.subarray(0, at);
  }
}
