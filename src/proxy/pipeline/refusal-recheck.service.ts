import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { invalidApiKey, serviceUnavailable } from '../../platform/errors/error-factories.js';
import { ERROR_CODES } from '../../platform/errors/error-code.data.js';
import type { GatewayError } from '../../platform/errors/gateway-error.js';
import { KeyCache } from '../../keys/key-cache.js';
import { keyStateRejection } from '../../keys/key-state.rules.js';
import { ModelGate } from '../../model-policy/model-gate.service.js';
import { Admission } from '../../quota/admission.service.js';
import type { RequestContext } from '../../platform/request-context/request-context.js';

const ROUNDS_MAX = 3;
const RECHECK_MS_MAX = 2_000;

/**
 * Repeats stages 3 and 5 with the current key, because the cached key can be outdated (D3). Guards of stages 3 to 5 must pass their
 * errors to `confirm` instead of throwing them.
 */
@Injectable()
export class RefusalRecheck {
  constructor(
    private readonly admission: Admission,
    private readonly keys: KeyCache,
    private readonly gate: ModelGate,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves to true if the current key allows the request. Puts the key's usage into the context.
   * @throws GatewayError the error for the current key, or `service_unavailable` if the store does not respond within 2 s
   */
  async confirm(ctx: RequestContext, rejection: GatewayError): Promise<true> {
    const limit = new RecheckLimit();
    for (let error = rejection; ;) {
      limit.spend();
      if (await this.readIfCurrent(ctx)) throw error;
      const judged = await this.judgeAgain(ctx);
      if (judged !== null) error = judged;
      else if (ERROR_CODES[rejection.code].keyDependent) return true;
      else error = rejection;
    }
  }

  /** Puts the key's usage into the context. @returns false if the key in the context is outdated */
  async readIfCurrent(ctx: RequestContext): Promise<boolean> {
    const current = await this.admission.readKey(ctx.key!);
    if (current?.version !== ctx.key!.version) return false;
    ctx.figures = current.figures;
    return true;
  }

  /**
   * Puts the reloaded key into the context. Reloads by the hash of the raw key. By ID, the old raw key of a rotated key would pass.
   * @returns the error with which stage 3 or 5 rejects the key, or null
   * @throws GatewayError `invalid_api_key` if the key no longer exists
   */
  async judgeAgain(ctx: RequestContext): Promise<GatewayError | null> {
    const key = await this.keys.reload(ctx.keyHash!);
    if (key === null) throw invalidApiKey();
    ctx.key = key;
    return keyStateRejection(key, this.clock.now()) ?? this.gate.judge(ctx);
  }
}

/**
 * Limits a request to three rechecks, of which the third must start within 2 s. If the key changes faster, the request is rejected with 503. Two
 * rechecks are always allowed, so that a stall of this process does not cause a rejection.
 */
export class RecheckLimit {
  private readonly endsAtMs = performance.now() + RECHECK_MS_MAX;
  private rounds = 0;

  /** Counts one recheck. @throws GatewayError `service_unavailable` */
  spend(): void {
    this.rounds += 1;
    if (this.rounds > ROUNDS_MAX || (this.rounds === ROUNDS_MAX && performance.now() > this.endsAtMs)) {
      throw serviceUnavailable(new Error('the key changed repeatedly while the request was checked'));
    }
  }
}
