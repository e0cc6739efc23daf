import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { GatewayError } from '../platform/errors/gateway-error.js';
import { ChunkBuffer } from '../platform/request-context/chunk-buffer.js';
import type { RequestContext } from '../platform/request-context/request-context.js';
import type { ConversionMemory, ConversionShare } from './response-memory.js';
import { skipSpace } from '../platform/json/json-scan.js';
import type { ResponseOptions } from './forward-plan.js';
import { formatOf } from './metering/response-format.js';

/** A JSON response is held up to this length to find the model that it names (D4). */
const HELD_BYTES_MAX = 1024 * 1024;
/** Whitespace is held for this long. A response that follows sooner still gets its model in the headers. */
const BLANK_MS = 500;
/** Held responses are joined here, one at a time. Allocating memory for each one cost as much as sending it. */
const sharedMemory = Buffer.allocUnsafeSlow(HELD_BYTES_MAX);

interface HeldResponseOwner {
  /** Called once if whitespace has arrived and nothing else follows within half a second. */
  onBlank(): void;
}

/**
 * The body of a JSON response that is held until it is complete, because a header shows its model, or because it is converted.
 * Above 1 MiB, only a response that is converted is still held, and reserves its memory.
 */
export class HeldResponse {
  /** True while only whitespace has arrived, which providers send to keep the connection alive. */
  private blank = true;
  private readonly pieces = new ChunkBuffer();
  private bytes = 0;
  private share: ConversionShare | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly owner: HeldResponseOwner) {}

  get tooLong(): boolean {
    return this.bytes > HELD_BYTES_MAX;
  }

  push(chunk: Buffer): void {
    this.pieces.push(chunk);
    this.bytes += chunk.length;
    if (!this.blank) return;
    this.blank = this.isStillBlank(chunk);
    if (!this.blank) this.stop();
    else this.timer ??= setTimeout(() => this.owner.onBlank(), BLANK_MS);
  }

  /** Whether the body is only whitespace, including `chunk`, which is not held. */
  isStillBlank(chunk: Buffer): boolean {
    return this.blank && skipSpace(chunk, 0) === chunk.length;
  }

  /** Stops the timer of `onBlank`. */
  stop(): void {
    clearTimeout(this.timer);
  }

  /** The body in pieces, which are not copied. */
  chunks(): Buffer[] {
    return this.pieces.all();
  }

  /** The body as one Buffer of its own. */
  whole(): Buffer {
    return this.pieces.whole();
  }

  /** The body in memory that all responses share. Valid until the next call for any response. Call it only if not `tooLong`. */
  wholeInSharedMemory(): Buffer {
    return this.pieces.whole(sharedMemory);
  }

  /**
   * Reserves memory for a body above 1 MiB, until `res` has closed.
   * @returns null, or the error with which the response must fail, because it is above 64 MiB or no memory is left
   */
  reserveMemory(memory: ConversionMemory, res: ServerResponse): GatewayError | null {
    this.share ??= memory.shareOf(res);
    return this.share.grow(this.bytes);
  }
}

/**
 * Whether the response is held.
 * - JSON is held. If the client requested a stream, the JSON can arrive event by event, so it is held only with a `content-length` or
 *   for a conversion.
 * - Without a content type, a converted or metered response is held if the client requested no stream.
 */
export function canBeHeld(
  { method, stream }: RequestContext,
  headers: IncomingHttpHeaders,
  { attempt: { converter }, meter }: Pick<ResponseOptions, 'attempt' | 'meter'>,
): boolean {
  if (method === 'HEAD') return false;
  const contentType = headers['content-type'] ?? '';
  // Without a content type, the response is assumed to be what the client requested.
  if ((converter !== null || meter !== null) && contentType === '') return !stream;
  if (formatOf(contentType) !== 'json') return false;
  return converter !== null || !stream || headers['content-length'] !== undefined;
}
