import type { ServerResponse } from 'node:http';
import type { GatewayError } from '../errors/gateway-error.js';
import { BodyPieces } from '../request-context/body-pieces.js';
import type { ConversionMemory, ConversionShare } from '../fairness/response-memory.js';
import { skipSpace } from '../json/json-scan.js';

/** How much of a JSON response is held to find the model that it names, in bytes (D4). */
export const HELD_BYTES_MAX = 1024 * 1024;
/** How long whitespace is held. A response that follows sooner still gets its model in the headers. */
const BLANK_MS = 500;

export class HeldResponse {
  /** Only whitespace has arrived. Providers send it to keep the connection alive. */
  private blank = true;
  private readonly pieces = new BodyPieces();
  private bytes = 0;
  private share: ConversionShare | null = null;
  private timer: NodeJS.Timeout | undefined;

  /** @param onBlank called once if whitespace has arrived and nothing else follows within half a second */
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

  /** Whether the response is still only whitespace once `chunk` is added. */
  isStillBlank(chunk: Buffer): boolean {
    return this.blank && skipSpace(chunk, 0) === chunk.length;
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  all(): Buffer[] {
    return this.pieces.all();
  }

  whole(memory?: Buffer): Buffer {
    return this.pieces.whole(memory);
  }

  /**
   * Takes the memory that a response longer than `HELD_BYTES_MAX` needs.
   * @returns the error with which the response fails, or null: `ConversionShare.grow`
   */
  takeMemory(memory: ConversionMemory, res: ServerResponse): GatewayError | null {
    this.share ??= memory.shareOf(res);
    return this.share.grow(this.bytes);
  }
}
