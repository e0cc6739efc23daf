/** A budget of bytes that all holders share. One holder can use at most `shareMax`. */
export class MemoryBudget {
  private held = 0;
  private readonly shares = new Map<string, number>();

  constructor(
    readonly bytesMax: number,
    readonly shareMax = bytesMax,
  ) {}

  get bytesHeld(): number {
    return this.held;
  }

  get bytesFree(): number {
    return this.bytesMax - this.held;
  }

  bytesHeldBy(holder: string): number {
    return this.shares.get(holder) ?? 0;
  }

  fits(bytes: number, holder = ''): boolean {
    return this.held + bytes <= this.bytesMax && this.bytesHeldBy(holder) + bytes <= this.shareMax;
  }

  /** Returns false without taking any bytes if they do not fit. */
  take(bytes: number, holder = ''): boolean {
    if (!this.fits(bytes, holder)) return false;
    this.add(bytes, holder);
    return true;
  }

  release(bytes: number, holder = ''): void {
    this.add(-bytes, holder);
  }

  private add(bytes: number, holder: string): void {
    this.held += bytes;
    const share = this.bytesHeldBy(holder) + bytes;
    if (share === 0) this.shares.delete(holder);
    else this.shares.set(holder, share);
  }
}
