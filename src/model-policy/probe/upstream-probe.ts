import { Injectable } from '@nestjs/common';
import { UpstreamClient } from '../../upstream/upstream-client.js';
import type { ProbeVerdict } from '../availability.rules.js';
import { ModelRegistry } from '../registry/model-registry.js';
import { probeRequest } from './probe-request.js';

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

/** Codes by which providers say that a model is not there, or not for this account. */
const MODEL_CODES =
  /^(invalid_model|unknown_model|no_such_model|unsupported_model|model_(not_found|not_available|not_exist|not_supported|deprecated|decommissioned|not_allowed|access_denied))/i;
/** What they write where they give no code. */
const MODEL_PHRASES =
  /\b(no such|unknown|invalid) model\b|not a valid model|\bmodel (was |is )?(not found|does not exist)/i;
/** The same, said of the model's id. */
const GONE =
  /not found|does not exist|doesn't exist|has been (deprecated|decommissioned|retired|removed)|no longer available|do(es)? not have access/i;
/** The model is there: it was only asked in the wrong place. */
const WRONG_PLACE = /not a (chat|completion) model|did you mean to use v1\/|not supported in the v1\//i;
/** About the moment, not the model. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/**
 * What an answer to a probe tells (D12): 2xx that the model can be called; 404, 410 or an error that names the model that
 * it cannot. null: anything else, which tells nothing of the model.
 */
export function verdictOf(model: string, status: number, body: Buffer): ProbeVerdict | null {
  if (status >= 200 && status < 300) return 'callable';
  const error = errorIn(body);
  if (WRONG_PLACE.test(error.message)) return null;
  if (status === 404 || status === 410 || MODEL_CODES.test(error.code)) return 'listed_unavailable';
  if (status < 400 || status >= 500 || PASSING.has(status)) return null;
  const gone = MODEL_PHRASES.test(error.message) || (error.message.includes(model) && GONE.test(error.message));
  return gone || error.param === 'model' ? 'listed_unavailable' : null;
}

function errorIn(body: Buffer): { readonly code: string; readonly param: string; readonly message: string } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body.toString());
  } catch {
    parsed = null;
  }
  const error = member(parsed, 'error') ?? parsed;
  if (typeof error === 'string') return { code: '', param: '', message: error };
  const text = (name: string) => {
    const value = member(error, name);
    return typeof value === 'string' ? value : '';
  };
  return { code: text('code') === '' ? text('type') : text('code'), param: text('param'), message: text('message') };
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
