import { Injectable } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { invalidApiKey, serviceUnavailable } from '../errors/catalogue.js';
import type { ErrorCode } from '../errors/error-code.data.js';
import type { GatewayError } from '../errors/gateway-error.js';
import { KeyCache } from '../keys/key-cache.js';
import { keyStateRefusal } from '../keys/key-state.rules.js';
import { ModelGate } from '../model-policy/model-gate.service.js';
import { Admission } from '../quota/admission.service.js';
import { RefusalConfirmation } from '../request-context/refusal-confirmation.js';
import type { RequestContext } from '../request-context/request-context.js';

const ROUNDS_MAX = 3;
const RECHECK_MS_MAX = 2_000;

/** Stage 3 and 5 refuse by the key; a refusal of stage 4 is about the body and holds whatever the key. */
const BY_KEY: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'api_key_suspended',
  'api_key_revoked',
  'api_key_expired',
  'invalid_api_key',
  'model_not_available',
  'model_not_allowed',
  'model_endpoint_mismatch',
]);

/** Judges stages 3 to 5 anew by the key as it is now: after a stale verdict, and before a refusal is given (D3). */
@Injectable()
export class StaleKeys extends RefusalConfirmation {
  constructor(
    private readonly admission: Admission,
    private readonly keys: KeyCache,
    private readonly gate: ModelGate,
    private readonly clock: Clock,
  ) {
    super();
  }

  async confirm(ctx: RequestContext, refusal: GatewayError): Promise<true> {
    const limit = new RecheckLimit();
    for (let error = refusal; ;) {
      limit.spend();
      const current = await this.admission.readKey(ctx.key!);
      if (current !== null && current.version === ctx.key!.version) {
        ctx.figures = current.figures;
        throw error;
      }
      const judged = await this.judgeAgain(ctx);
      if (judged !== null) error = judged;
      else if (BY_KEY.has(refusal.code)) return true;
      else error = refusal;
    }
  }

  /**
   * Reads the key anew by the hash that the caller presented, never by id: a rotated key's old secret must not come in.
   * @returns the refusal of stage 3 or 5 by the key as it is now
   * @throws GatewayError `invalid_api_key` where that hash is no key's any more
   */
  async judgeAgain(ctx: RequestContext): Promise<GatewayError | null> {
    const key = await this.keys.reload(ctx.keyHash!);
    if (key === null) throw invalidApiKey();
    ctx.key = key;
    return keyStateRefusal(key, this.clock.now()) ?? (ctx.body.json === null ? null : this.gate.judge(ctx));
  }
}

/**
 * Three rounds, the last of them begun within 2 s: a key that changes faster than that cannot be served (503). Two are always
 * had: that this process itself stood still for a while is no reason.
 */
export class RecheckLimit {
  private readonly endsAtMs = performance.now() + RECHECK_MS_MAX;
  private rounds = 0;

  spend(): void {
    this.rounds += 1;
    if (this.rounds > ROUNDS_MAX || (this.rounds === ROUNDS_MAX && performance.now() > this.endsAtMs)) {
      throw serviceUnavailable(new Error('the key changed again and again while it was judged'));
    }
  }
}
