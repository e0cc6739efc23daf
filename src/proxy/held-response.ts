import type { ServerResponse } from 'node:http';
import type { GatewayError } from '../errors/gateway-error.js';
import { BodyPieces } from '../request-context/body-pieces.js';
import type { ConversionMemory, ConversionShare } from '../fairness/response-memory.js';
import { skipSpace } from '../json/json-scan.js';

/** Bytes of a JSON response that are held for the model that it names (D4). */
export const HELD_BYTES_MAX = 1024 * 1024;
/** Milliseconds that blank bytes are held. A response that follows sooner still gets its model in the head. */
const BLANK_MS = 500;

/** A JSON response that is held until it is whole. */
export class HeldResponse {
  /** Nothing but blanks has arrived. Providers send blanks to keep the connection alive. */
  private blank = true;
  private readonly pieces = new BodyPieces();
  private bytes = 0;
  private share: ConversionShare | null = null;
  private timer: NodeJS.Timeout | undefined;

  /** @param onBlank called once if blanks have arrived and nothing follows them within half a second */
  constructor(private readonly onBlank: () => void) {}

  get tooLong(): boolean {
    return this.bytes > HELD_BYTES_MAX;
  }

  push(chunk: Buffer): void {
    this.pieces.push(chunk);
    this.bytes += chunk.length;
    if (!this.blank) return;
    this.blank = this.isStillBlank(chunk);
    if (!this.blank) this.stop();
    else this.timer ??= setTimeout(this.onBlank, BLANK_MS);
  }

  /** Whether the response consists of blanks up to and including `chunk`, which follows. */
  isStillBlank(chunk: Buffer): boolean {
    return this.blank && skipSpace(chunk, 0) === chunk.length;
  }

  /** No timer runs any more. */
  stop(): void {
    clearTimeout(this.timer);
  }

  /** The pieces, in order. */
  all(): Buffer[] {
    return this.pieces.all();
  }

  /** One Buffer: `BodyPieces.whole`. */
  whole(memory?: Buffer): Buffer {
    return this.pieces.whole(memory);
  }

  /**
   * Takes the memory that a response above `HELD_BYTES_MAX` needs: `ConversionShare.grow`.
   * @returns the error if no memory is left
   */
  takeMemory(memory: ConversionMemory, res: ServerResponse): GatewayError | null {
    this.share ??= memory.shareOf(res);
    return this.share.grow(this.bytes);
  }
}
