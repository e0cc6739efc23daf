import type { ServerResponse } from 'node:http';
import { serviceUnavailable, upstreamError } from '../errors/catalogue.js';
import type { GatewayError } from '../errors/gateway-error.js';
import { MemoryBudget } from './memory-budget.js';

const MIB = 1024 * 1024;

/** For one converted response. */
const CONVERTED_BYTES_MAX = 64 * MIB;
/** Free for each converted response, without a reservation. Few responses are longer. */
const FREE_BYTES = MIB;
/** For all converted responses, in addition to `FREE_BYTES` for each. */
const CONVERSION_BYTES_MAX = 256 * MIB;
/** For all captures, in addition to 16 KiB for each. With 2,000 streams that is 160 MiB. */
const CAPTURE_BYTES_MAX = 128 * MIB;

/** Memory for the beginnings of streamed responses, from which unreported tokens are estimated. */
export class CaptureMemory extends MemoryBudget {
  constructor(bytesMax = CAPTURE_BYTES_MAX) {
    super(bytesMax);
  }
}

/** Memory for responses that are buffered until they are converted (D10). */
export class ConversionMemory {
  private readonly budget = new MemoryBudget(CONVERSION_BYTES_MAX);

  get bytesHeld(): number {
    return this.budget.bytesHeld;
  }

  /** Returns the share of one response. It is released when `res` has closed, because a client can read slowly. */
  shareOf(res: ServerResponse): ConversionShare {
    return new ConversionShare(this.budget, res);
  }
}

export class ConversionShare {
  private taken = 0;

  constructor(
    private readonly budget: MemoryBudget,
    private readonly res: ServerResponse,
  ) {}

  /**
   * Reserves memory for a response that has grown.
   * @param bytes the length of the response so far, more than 1 MiB
   * @returns null, or the error with which the response fails: `upstream_error` above 64 MiB, or `service_unavailable` if the
   *   memory is used up. A failed response releases its memory, so that others can continue
   */
  grow(bytes: number): GatewayError | null {
    const more = bytes - FREE_BYTES - this.taken;
    if (bytes > CONVERTED_BYTES_MAX) return this.fail(upstreamError('The upstream response is too large.'));
    if (!this.budget.take(more))
      return this.fail(serviceUnavailable(new Error('the memory for converting responses is used up')));
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
