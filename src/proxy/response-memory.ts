import type { ServerResponse } from 'node:http';
import { serviceUnavailable, upstreamError } from '../platform/errors/error-factories.js';
import type { GatewayError } from '../platform/errors/gateway-error.js';
import { MemoryBudget } from '../platform/fairness/memory-budget.js';

const MIB = 1024 * 1024;

const CONVERTED_BYTES_MAX = 64 * MIB;
/** Each response can use this much without a reservation. Few are longer. */
const FREE_BYTES = MIB;
/** The budget of all responses, in addition to `FREE_BYTES` for each. */
const CONVERSION_BYTES_MAX = 256 * MIB;
/** The budget of all captures, in addition to 16 KiB for each. With 2,000 streams that is 160 MiB. */
const CAPTURE_BYTES_MAX = 128 * MIB;

/** Bounds the beginnings of streamed responses, from which unreported tokens are estimated. */
export class CaptureMemory extends MemoryBudget {
  constructor(bytesMax = CAPTURE_BYTES_MAX) {
    super(bytesMax);
  }
}

/** Bounds responses that are buffered until they are converted (D10). */
export class ConversionMemory extends MemoryBudget {
  constructor(bytesMax = CONVERSION_BYTES_MAX) {
    super(bytesMax);
  }

  /** The share is released when `res` has closed, because a client can read slowly. */
  shareOf(res: ServerResponse): ConversionShare {
    return new ConversionShare(this, res);
  }
}

/** The memory of one response that is converted. */
export class ConversionShare {
  private taken = 0;

  constructor(
    private readonly budget: MemoryBudget,
    private readonly res: ServerResponse,
  ) {}

  /**
   * Reserves memory for a response of `bytes` so far, more than 1 MiB. If that fails, the memory of the response is released.
   * @returns null, or `upstream_error` above 64 MiB, or `service_unavailable` if the memory is used up
   */
  grow(bytes: number): GatewayError | null {
    const extraBytes = bytes - FREE_BYTES - this.taken;
    if (bytes > CONVERTED_BYTES_MAX)
      return this.fail(upstreamError('The upstream response is too large to convert. Use POST /v1/chat/completions.'));
    if (!this.budget.take(extraBytes))
      return this.fail(serviceUnavailable(new Error('the memory for converting responses is used up')));
    if (this.taken === 0) this.res.once('close', () => this.release());
    this.taken += extraBytes;
    return null;
  }

  private fail(failure: GatewayError): GatewayError {
    this.release();
    return failure;
  }

  private release(): void {
    this.budget.release(this.taken);
    this.taken = 0;
  }
}
