import type { ServerResponse } from 'node:http';
import { serviceUnavailable, upstreamError } from '../errors/catalogue.js';
import type { GatewayError } from '../errors/gateway-error.js';
import { MemoryBudget } from './memory-budget.js';

const MIB = 1024 * 1024;

/** Bytes of one converted response. */
const CONVERTED_BYTES_MAX = 64 * MIB;
/** Bytes that each converted response has without taking memory. Few responses are longer. */
const FREE_BYTES = MIB;
/** Bytes of all converted responses, in addition to `FREE_BYTES` of each. */
const CONVERSION_BYTES_MAX = 256 * MIB;
/** Bytes of all captures, in addition to 16 KiB of each: 160 MiB with 2,000 streams. */
const CAPTURE_BYTES_MAX = 128 * MIB;

/** Memory for the beginnings of streamed responses, which are kept to estimate unreported tokens. */
export class CaptureMemory extends MemoryBudget {
  constructor(bytesMax = CAPTURE_BYTES_MAX) {
    super(bytesMax);
  }
}

/** Memory for responses that are held whole until they are converted (D10). */
export class ConversionMemory {
  private readonly budget = new MemoryBudget(CONVERSION_BYTES_MAX);

  get bytesHeld(): number {
    return this.budget.bytesHeld;
  }

  /** The memory of one response. It is given back when `res` has closed, because a client can read slowly. */
  shareOf(res: ServerResponse): ConversionShare {
    return new ConversionShare(this.budget, res);
  }
}

/** The share of one response. */
export class ConversionShare {
  private taken = 0;

  constructor(
    private readonly budget: MemoryBudget,
    private readonly res: ServerResponse,
  ) {}

  /**
   * Takes memory for a response that has grown.
   * @param bytes the length of the response so far, more than 1 MiB
   * @returns null, or the reason for which the response fails: `upstream_error` if it is longer than 64 MiB,
   *   `service_unavailable` if the memory is used up. Its memory is then given back, so that other responses do not fail.
   */
  grow(bytes: number): GatewayError | null {
    const more = bytes - FREE_BYTES - this.taken;
    if (bytes > CONVERTED_BYTES_MAX) return this.fail(upstreamError('The answer of the upstream is too long.'));
    if (!this.budget.take(more))
      return this.fail(serviceUnavailable(new Error('no memory for answers that have to be converted')));
    if (this.taken === 0) this.res.once('close', () => this.giveBack());
    this.taken += more;
    return null;
  }

  private fail(failure: GatewayError): GatewayError {
    this.giveBack();
    return failure;
  }

  private giveBack(): void {
    this.budget.release(this.taken);
    this.taken = 0;
  }
}
