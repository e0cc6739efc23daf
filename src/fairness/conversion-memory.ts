import type { ServerResponse } from 'node:http';
import { serviceUnavailable, upstreamError } from '../errors/catalogue.js';
import type { GatewayError } from '../errors/gateway-error.js';

/** Of one answer. */
const CONVERTED_BYTES_MAX = 64 * 1024 * 1024;
/** What any answer may have without asking: few are longer. */
const FREE_BYTES = 1024 * 1024;
/** Of all answers together, beyond what each has free. */
const SHARED_BYTES_MAX = 256 * 1024 * 1024;

/** Memory of the answers that are held whole to be converted, all of a process together (D10). */
export class ConversionMemory {
  /** Bytes that are taken, beyond what each answer has free. */
  bytesHeld = 0;

  /** What one answer has of it, given back when its response has closed, whatever the end: a client may read slowly. */
  shareOf(res: ServerResponse): ConversionShare {
    return new ConversionShare(this, res);
  }
}

/** What one answer has of the memory. */
export class ConversionShare {
  private taken = 0;

  constructor(
    private readonly memory: ConversionMemory,
    private readonly res: ServerResponse,
  ) {}

  /**
   * Takes what the answer needs that has `bytes` by now, more than it has free.
   * @returns what it fails by where it is too long by itself, `upstream_error`, or with the others, `service_unavailable`: all
   *   of it is given back then, so that no other fails for want of it
   */
  grow(bytes: number): GatewayError | null {
    const failure = this.failureOf(bytes);
    if (failure !== null) {
      this.giveBack();
      return failure;
    }
    if (this.taken === 0) this.res.once('close', () => this.giveBack());
    this.take(bytes - FREE_BYTES - this.taken);
    return null;
  }

  private failureOf(bytes: number): GatewayError | null {
    if (bytes > CONVERTED_BYTES_MAX) return upstreamError('The answer of the upstream is too long.');
    return this.memory.bytesHeld - this.taken + bytes - FREE_BYTES > SHARED_BYTES_MAX
      ? serviceUnavailable(new Error('no memory for answers that have to be converted'))
      : null;
  }

  private giveBack(): void {
    this.take(-this.taken);
  }

  private take(bytes: number): void {
    this.taken += bytes;
    this.memory.bytesHeld += bytes;
  }
}
