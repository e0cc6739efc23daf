import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { GatewayError } from '../platform/errors/gateway-error.js';
import { ChunkBuffer } from '../platform/request-context/chunk-buffer.js';
import type { RequestContext } from '../platform/request-context/request-context.js';
import type { ConversionMemory, ConversionShare } from './response-memory.js';
import { skipSpace } from '../platform/json/json-scan.js';
import type { ResponseOptions } from './forward-plan.js';
import { formatOf } from './metering/response-format.js';

/** A JSON response is held up to this length to find the model that it names (D4). */
export const HELD_BYTES_MAX = 1024 * 1024;
/** Whitespace is held for this long. A response that follows sooner still gets its model in the headers. */
const BLANK_MS = 500;

export class HeldResponse {
  /** True while only whitespace has arrived, which providers send to keep the connection alive. */
  private blank = true;
  private readonly pieces = new ChunkBuffer();
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

  takeMemory(memory: ConversionMemory, res: ServerResponse): GatewayError | null {
    this.share ??= memory.shareOf(res);
    return this.share.grow(this.bytes);
  }
}

/** JSON without a `content-length` is not held if the client requested a stream, because it can arrive event by event. */
export function canBeHeld(
  { method, stream }: RequestContext,
  headers: IncomingHttpHeaders,
  { converter, meter }: Pick<ResponseOptions, 'converter' | 'meter'>,
): boolean {
  if (method === 'HEAD') return false;
  const contentType = headers['content-type'] ?? '';
  // Without a content type, the response is assumed to be what the client requested.
  if ((converter !== null || meter !== null) && contentType === '') return !stream;
  if (formatOf(contentType) !== 'json') return false;
  return converter !== null || !stream || headers['content-length'] !== undefined;
}
