import { parseResponse } from '../../platform/json/json-structure.js';

/** An error has few values. */
const PARSED_BYTES_MAX = 1024 * 1024;

/** The parts of a provider's error that show whose fault it is. Texts are lower-case. Empty or null if absent. */
export interface ProviderError {
  /** All codes, types and reasons. */
  readonly codes: readonly string[];
  readonly message: string;
  /** A numeric code of the error, which can differ from the status of the response. */
  readonly status: number | null;
  /** OpenRouter names the reasons of its moderation. */
  readonly isModerated: boolean;
}

export const NO_ERROR: ProviderError = { codes: [], message: '', status: null, isModerated: false };

/**
 * Reads the error in a response body, or in the first event of a stream.
 * @returns null if it contains no error
 */
export function providerErrorIn(json: string): ProviderError | null {
  const whole = objectOf(firstIn(parsed(json)));
  const { error = whole['errors'] } = whole;
  if (typeof error === 'string') return errorOf({ ...whole, message: error });
  const inner = objectOf(firstIn(error));
  if (Object.keys(inner).length > 0) return errorOf({ ...inner, outerType: whole['type'] });
  return isFlatError(whole) ? errorOf(whole) : null;
}

/** The error of a JSON response body with an error status. Null if the body is not a JSON object. */
export function errorOfJson(text: string): ProviderError | null {
  const known = providerErrorIn(text);
  if (known !== null) return known;
  const whole = objectOf(firstIn(parsed(text)));
  return Object.keys(whole).length === 0 ? null : errorOf(whole);
}

/** Like `errorOfJson`, for any body. A body that is not JSON is its message. */
export const errorOfBody = (text: string): ProviderError =>
  providerErrorIn(text) ?? errorOf({ ...objectOf(firstIn(parsed(text))), text: text.slice(0, TEXT_LENGTH_MAX) });

const TEXT_LENGTH_MAX = 4_000;

/** The Responses API and vLLM use events such as `{"type": "error", "code": …}` and `{"object": "error", "message": …}`. */
const isFlatError = ({ type, object }: Record<string, unknown>): boolean => type === 'error' || object === 'error';

function errorOf(given: Record<string, unknown>): ProviderError {
  const { code, type, status, reason, message, detail, metadata, text } = given;
  const details = Array.isArray(given['details']) ? (given['details'] as unknown[]) : [];
  const reasons = details.map((each) => objectOf(each)['reason']);
  const { code: innerCode } = objectOf(given['innererror']);
  // Converting an object to a number would call a `valueOf` that the provider chose.
  const scalars = [code, status, type].filter((each) => typeof each === 'string' || typeof each === 'number');
  const numbers = scalars.map(Number).filter((number) => number >= 400 && number < 600);
  const { flagged_input: flagged } = objectOf(metadata);
  return {
    codes: [code, type, status, reason, innerCode, ...reasons].filter((each) => typeof each === 'string').map(lower),
    message: lower([message, detail, text].find((each) => typeof each === 'string') ?? ''),
    status: numbers[0] ?? null,
    isModerated: flagged !== undefined || Array.isArray(objectOf(metadata)['reasons']),
  };
}

const lower = (text: unknown): string => (text as string).slice(0, TEXT_LENGTH_MAX).toLowerCase();

const firstIn = (value: unknown): unknown => (Array.isArray(value) ? (value as unknown[])[0] : value);

function parsed(text: string): unknown {
  try {
    return parseResponse(text, PARSED_BYTES_MAX);
  } catch {
    return null;
  }
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** The status that a code in an error stands for. The codes are those of the vendors' documentation. */
const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  // Anthropic
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
  // OpenAI
  invalid_api_key: 401,
  account_deactivated: 401,
  insufficient_quota: 402,
  billing_not_active: 402,
  billing_hard_limit_reached: 402,
  model_not_found: 404,
  rate_limit_exceeded: 429,
  requests: 429,
  tokens: 429,
  server_error: 500,
  server_is_overloaded: 503,
  engine_overloaded: 503,
  slow_down: 503,
  service_unavailable: 503,
  service_unavailable_error: 503,
  // Azure
  deploymentnotfound: 404,
  toomanyrequests: 429,
  // Google
  api_key_invalid: 401,
  unauthenticated: 401,
  permission_denied: 403,
  resource_exhausted: 429,
  internal: 500,
  unavailable: 503,
  deadline_exceeded: 504,
  // Bedrock
  unrecognizedclientexception: 401,
  accessdeniedexception: 403,
  throttlingexception: 429,
  internalserverexception: 500,
  serviceunavailableexception: 503,
  modelnotreadyexception: 503,
  // vLLM and others
  internalservererror: 500,
  internal_server_error: 500,
  arrearage: 402,
  overloaded: 503,
  // The client's errors
  invalid_request_error: 400,
  invalid_argument: 400,
  badrequesterror: 400,
  invalid_prompt: 400,
  // Groq: the model called a tool, or wrote JSON, in an invalid form.
  tool_use_failed: 400,
  json_validate_failed: 400,
  content_filter: 400,
  content_policy_violation: 400,
  context_length_exceeded: 400,
  not_found_error: 404,
  request_too_large: 413,
};

const NO_CREDIT =
  /credit balance is too low|insufficient (?:balance|credit|fund)|exceeded your current quota|account is in good standing/;
const INVALID_KEY = /api key not valid|api key expired|invalid api key/;

/** The status that an error stands for, if its response has another one: an event of a stream, or a 400 about the account. */
export function statusOfError({ codes, message, status }: ProviderError): number | null {
  if (NO_CREDIT.test(message)) return 402;
  // Google reports an invalid key with the code of an invalid argument.
  if (INVALID_KEY.test(message)) return 401;
  const known = codes.filter((code) => Object.hasOwn(STATUS_OF_CODE, code)).map((code) => STATUS_OF_CODE[code]!);
  return known.find((each) => each === 401 || each === 402) ?? known[0] ?? status;
}
