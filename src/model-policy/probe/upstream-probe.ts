import { Injectable } from '@nestjs/common';
import { parseResponse } from '../../platform/json/json-structure.js';
import { UpstreamClient } from '../../upstream/upstream-client.js';
import type { ProbeVerdict } from '../availability.rules.js';
import { ModelRegistry } from '../registry/model-registry.js';
import { probeRequest } from './probe-request.js';

/** Image generation takes the longest and returns the largest responses. */
const TIMEOUT_MS = 60_000;
const BYTES_MAX = 32 * 1024 * 1024;

export interface ProbeResponse {
  /** null if the outcome is not about the model */
  readonly verdict: ProbeVerdict | null;
  readonly status: number | null;
}

/** Sends the probe of one model to the upstream, and derives the verdict. */
@Injectable()
export class UpstreamProbe {
  constructor(
    private readonly upstream: UpstreamClient,
    private readonly registry: ModelRegistry,
  ) {}

  /** Resolves within 60 s and never rejects. */
  async ask(model: string): Promise<ProbeResponse> {
    const request = probeRequest(model, this.registry.lookup(model));
    if (request === null) return { verdict: null, status: null };
    const { path, contentType, body } = request;
    try {
      const response = await this.upstream.fetchSmall({
        method: 'POST',
        path,
        headers: ['content-type', contentType],
        body,
        bytesMax: BYTES_MAX,
        timeoutMs: TIMEOUT_MS,
      });
      return { verdict: verdictOf(model, response.status, response.body), status: response.status };
    } catch {
      // An outage, a timeout or an oversized response is not the model's fault.
      return { verdict: null, status: null };
    }
  }
}

/** Error codes for a model that does not exist or is not available to this account. */
const MODEL_CODES =
  /^(invalid_model|unknown_model|no_such_model|unsupported_model|model_(not_found|not_available|not_exist|not_supported|deprecated|decommissioned|not_allowed|access_denied))/i;
const MODEL_PHRASES =
  /\b(no such|unknown|invalid) model\b|not a valid model|\bmodel (was |is )?(not found|does not exist)/i;
/** Phrases with the same meaning in a message that contains the model's ID. */
const UNAVAILABLE_PHRASES =
  /not found|does not exist|doesn't exist|has been (deprecated|decommissioned|retired|removed)|no longer available|do(es)? not have access/i;
/** The model exists, but the probe used the wrong route. */
const WRONG_ROUTE = /not a (chat|completion) model|did you mean to use v1\/|not supported in the v1\//i;
const TEMPORARY: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/**
 * Derives the verdict from a probe's response (D12). 2xx means callable; 404, 410 or an error about the model means
 * unavailable. Any other response is not about the model, so the verdict is null.
 */
export function verdictOf(model: string, status: number, body: Buffer): ProbeVerdict | null {
  if (status >= 200 && status < 300) return 'callable';
  const error = errorIn(body);
  if (WRONG_ROUTE.test(error.message)) return null;
  if (status === 404 || status === 410 || MODEL_CODES.test(error.code)) return 'listed_unavailable';
  if (status < 400 || status >= 500 || TEMPORARY.has(status)) return null;
  const unavailable =
    MODEL_PHRASES.test(error.message) || (error.message.includes(model) && UNAVAILABLE_PHRASES.test(error.message));
  return unavailable || error.param === 'model' ? 'listed_unavailable' : null;
}

/** Enough for any error, with few values. */
const ERROR_PARSED_BYTES_MAX = 1024 * 1024;

function errorIn(body: Buffer): { readonly code: string; readonly param: string; readonly message: string } {
  let parsed: unknown;
  try {
    parsed = parseResponse(body, ERROR_PARSED_BYTES_MAX);
  } catch {
    parsed = null;
  }
  const error = field(parsed, 'error') ?? parsed;
  if (typeof error === 'string') return { code: '', param: '', message: error };
  const text = (name: string) => {
    const value = field(error, name);
    return typeof value === 'string' ? value : '';
  };
  return { code: text('code') === '' ? text('type') : text('code'), param: text('param'), message: text('message') };
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
