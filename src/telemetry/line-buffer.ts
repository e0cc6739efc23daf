/**
 * Lines that are written together. pino's own stream measures all that waits in it anew with each line that comes: a line a
 * request would cost more than the rest of the request does.
 */
export class LineBuffer {
  private lines = '';
  private bytes = 0;

  /**
   * @param bytesMax of what is written at once; a longer line goes alone
   * @param write takes some whole lines
   */
  constructor(
    private readonly bytesMax: number,
    private readonly write: (lines: string) => void,
  ) {}

  /** @param line with its line end */
  push(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.bytes + bytes > this.bytesMax) this.flush();
    this.lines += line;
    this.bytes += bytes;
  }

  /** Hands on what is held. */
  flush(): void {
    if (this.bytes === 0) return;
    const { lines } = this;
    this.lines = '';
    this.bytes = 0;
    this.write(lines);
  }
}
