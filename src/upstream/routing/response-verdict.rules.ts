import { FAILOVER_STATUSES } from '../../platform/config/upstreams/upstreams-file.js';
import { exhaustedLimits, type Headers, type Limit } from '../rate-limit-headers.rules.js';
import type { RefusalScope } from '../upstream-pressure.js';
import { errorOfBody, NO_ERROR, statusOfError, type ProviderError } from './provider-error.rules.js';

/**
 * The state of an upstream, according to its response.
 * - `served`: the upstream works. The response can be an error that the client caused.
 * - `limited`: a rate limit or an overload. The request was not processed.
 * - `refused`: the account or the model was rejected. The request was not processed.
 * - `failed`: the request might have been processed.
 */
export type Verdict = (
  | { readonly effect: 'served' }
  | { readonly effect: 'limited'; readonly limits: readonly Limit[] }
  | { readonly effect: 'refused'; readonly scope: RefusalScope }
  | { readonly effect: 'failed' }
) & {
  /** The status that decides, which can differ from that of the response. */
  readonly status: number;
};

export interface JudgedResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Its beginning, or the data of the first event of a stream. Null if it was not read. */
  readonly body: Buffer | null;
}

export interface JudgedRequest {
  /** The model that was sent. Empty if none was sent. */
  readonly model: string;
  /** It names a stored object, which the account might not have. */
  readonly namesObject: boolean;
}

/** 503 and Anthropic's 529 need no body: no code in it changes the verdict. */
export const isOverload = (status: number): boolean => status === 503 || status === 529;

export function verdictOf(response: JudgedResponse, request: JudgedRequest): Verdict {
  const { status: given, headers, body } = response;
  const error = body === null || given < 400 ? NO_ERROR : errorOfBody(body.toString());
  return verdictOfError(standsFor(given, error), { error, headers }, request);
}

/** @param error in a response with a success status */
export function verdictOfEvent(error: ProviderError, headers: Headers, request: JudgedRequest): Verdict {
  return verdictOfError(statusOfError(error) ?? 500, { error, headers }, request);
}

/** Some providers report an invalid key, no credit or an unknown model as 400 or 429. */
function standsFor(status: number, error: ProviderError): number {
  if (status !== 400 && status !== 429) return status;
  const meant = statusOfError(error);
  const isAccount = meant === 401 || meant === 402;
  return isAccount || (status === 400 && meant === 404) ? meant : status;
}

interface Evidence {
  readonly error: ProviderError;
  readonly headers: Headers;
}

function verdictOfError(status: number, { error, headers }: Evidence, request: JudgedRequest): Verdict {
  if (status === 429) return { effect: 'limited', limits: limitsOf(error, headers), status };
  if (isOverload(status)) return { effect: 'limited', limits: ['requests'], status };
  if (status >= 500 || REDIRECTS.has(status)) return { effect: 'failed', status };
  const scope = refusalScope(status, error, request);
  return scope === null ? { effect: 'served', status } : { effect: 'refused', scope, status };
}

/** No provider redirects requests. The base URL is wrong, or a proxy is in between. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Null if the client caused the error. */
function refusalScope(status: number, error: ProviderError, request: JudgedRequest): RefusalScope | null {
  switch (status) {
    case 401:
      return MISSING_SCOPE.test(error.message) ? 'kind' : 'account';
    case 402:
      return 'kind';
    case 403:
      return scopeOf403(error, request);
    case 404:
      return isAboutModel(error, request) ? 'model' : null;
    default:
      return null;
  }
}

function scopeOf403(error: ProviderError, request: JudgedRequest): RefusalScope | null {
  const { codes, message, isModerated } = error;
  if (isModerated || [message, ...codes].some((text) => CONTENT.test(text))) return null;
  if (isAboutModel(error, request) || (request.model !== '' && MODEL_ACCESS.test(message))) return 'model';
  return request.namesObject && statusOfError(error) !== 401 ? null : 'kind';
}

function isAboutModel({ codes, message }: ProviderError, { model, namesObject }: JudgedRequest): boolean {
  if (codes.some((code) => MODEL_CODES.has(code))) return true;
  return model !== '' && !namesObject && MODEL_UNKNOWN.test(message);
}

/** OpenAI's restricted keys can use some routes only. */
const MISSING_SCOPE = /missing scopes|insufficient permissions/;
const MODEL_CODES: ReadonlySet<string> = new Set(['model_not_found', 'deploymentnotfound', 'model_not_available']);
/** Anthropic: `model: claude-9`. vLLM: "The model `x` does not exist." Google: "models/x is not found". OpenRouter: "No endpoints found for x". */
const MODEL_UNKNOWN =
  /^model: |\bmodels?\b.{0,250}\b(?:not found|not exist|no longer available|been deprecated)|^no endpoints found for /s;
/** OpenAI: "Project `x` does not have access to model `y`". Bedrock: "You don't have access to the model". */
const MODEL_ACCESS = /access to (?:the |this )?model|not authorized to (?:use|invoke|access) (?:the |this )?model/;
/** OpenRouter, xAI, Azure and others reject content with 403. Another provider might accept it, but the account works. */
const CONTENT =
  /content[ _-]?(?:policy|management|filter|violat|moderat|safety)|moderat|flagged|safety|usage (?:guideline|polic)|guardrail|jailbreak|inappropriate|responsible ?ai/;

const LIMIT_CODES: Readonly<Record<string, Limit>> = { requests: 'requests', tokens: 'tokens' };

/** OpenAI names the limit in `type`. */
function limitsOf({ codes }: ProviderError, headers: Headers): readonly Limit[] {
  const exhausted = exhaustedLimits(headers);
  if (exhausted.length > 0) return exhausted;
  const named = codes.flatMap((code) => (Object.hasOwn(LIMIT_CODES, code) ? [LIMIT_CODES[code]!] : []));
  return named.length > 0 ? named : ['requests'];
}

export interface FailoverRules {
  /** The statuses that move a request from this upstream (`failover_statuses`). */
  readonly failoverStatuses: readonly number[];
  /** The operator allows resending requests that the provider might have processed. */
  readonly repeatSent: boolean;
  /** The path names an object whose upstream is unknown. */
  readonly ownerUnknown: boolean;
}

/** The provider might have processed the request, and might charge for it. */
const MAYBE_PROCESSED: ReadonlySet<number> = new Set([500, 502, 504]);

/** Whether another upstream should get the request. */
export function failsOver({ status, effect }: Verdict, rules: FailoverRules): boolean {
  if (rules.ownerUnknown && status === 404) return true;
  if (rules.repeatSent && MAYBE_PROCESSED.has(status)) return true;
  if (!rules.failoverStatuses.includes(status)) return false;
  // These move a request only if they are about the account or the model.
  return effect !== 'served' || !FAILOVER_STATUSES.includes(status);
}
