const LOOSE_MAX = 1024;

/** Joins every 1,024 chunks of a body. Otherwise one-byte chunks would cost hundreds of bytes of memory each. */
export class ChunkBuffer {
  private joined: Buffer[] = [];
  private loose: Buffer[] = [];

  push(piece: Buffer): void {
    this.loose.push(piece);
    if (this.loose.length < LOOSE_MAX) return;
    this.joined.push(Buffer.concat(this.loose));
    this.loose = [];
  }

  all(): Buffer[] {
    return [...this.joined, ...this.loose];
  }

  /** Returns the body as one Buffer, which is a view of `memory` if given. A single chunk is not copied. */
  whole(memory?: Buffer): Buffer {
    if (this.joined.length === 0 && this.loose.length === 1) return this.loose[0]!;
    if (memory === undefined) return Buffer.concat(this.all());
    let at = 0;
    for (const piece of this.all()) at += piece.copy(memory, at);
    return memory.subarray(0, at);
  }
}
