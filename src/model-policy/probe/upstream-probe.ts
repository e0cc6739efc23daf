import { Injectable } from '@nestjs/common';
import { UpstreamClient } from '../../upstream/upstream-client.js';
import type { ProbeVerdict } from '../availability.rules.js';
import { ModelRegistry } from '../registry/model-registry.js';
import { probeRequest } from './probe-request.js';
import { verdictOf } from './probe-verdict.rules.js';

/** Pictures take the longest, and are the largest. */
const TIMEOUT_MS = 60_000;
const BYTES_MAX = 32 * 1024 * 1024;

export interface ProbeAnswer {
  /** null: the answer, or the lack of one, tells nothing of the model. */
  readonly verdict: ProbeVerdict | null;
  /** Of the upstream's answer; null: there was none, or nothing was asked. */
  readonly status: number | null;
}

/** Asks the upstream for one minimal answer of a model. */
@Injectable()
export class UpstreamProbe {
  constructor(
    private readonly upstream: UpstreamClient,
    private readonly registry: ModelRegistry,
  ) {}

  /** Never rejects; within a minute. */
  async ask(model: string): Promise<ProbeAnswer> {
    const request = probeRequest(model, this.registry.lookup(model));
    if (request === null) return { verdict: null, status: null };
    const { path, contentType, body } = request;
    try {
      const answer = await this.upstream.fetchSmall({
        method: 'POST',
        path,
        headers: ['content-type', contentType],
        body,
        bytesMax: BYTES_MAX,
        timeoutMs: TIMEOUT_MS,
      });
      return { verdict: verdictOf(model, answer.status, answer.body), status: answer.status };
    } catch {
      // Away, too slow, too long: nothing of it is the model's fault.
      return { verdict: null, status: null };
    }
  }
}
