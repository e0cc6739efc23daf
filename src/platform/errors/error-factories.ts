import { GatewayError } from './gateway-error.js';

// The messages about API keys are constant, so that a response does not reveal why a key is unknown (D2).

export const missingApiKey = () =>
  new GatewayError('missing_api_key', 'The API key is missing. Send it as "Authorization: Bearer <API_KEY>".');
export const missingSession = (edge: 'admin' | 'dashboard') =>
  new GatewayError(
    'missing_api_key',
    edge === 'dashboard'
      ? 'You are not signed in. Sign in with POST /dashboard/session.'
      : 'You are not signed in. Send "Authorization: Bearer <ADMIN_KEY>", or sign in with POST /dashboard/session.',
  );
export const invalidApiKey = () =>
  new GatewayError(
    'invalid_api_key',
    'The API key does not exist or is malformed. Check it, and send it as "Authorization: Bearer <API_KEY>".',
  );
export const apiKeyExpired = () =>
  new GatewayError('api_key_expired', 'The API key has expired. Ask an operator of this gateway to extend it.');
export const apiKeySuspended = () =>
  new GatewayError('api_key_suspended', 'The API key is suspended. Ask an operator of this gateway to unsuspend it.');
export const apiKeyRevoked = () =>
  new GatewayError('api_key_revoked', 'The API key has been revoked. Ask an operator of this gateway for a new key.');

/** One message for an unknown email, a wrong password and a disabled operator, so that it reveals nothing (D19). */
export const invalidCredentials = () =>
  new GatewayError('invalid_credentials', 'The email or the password is incorrect. Check both, and try again.');
export const wrongCurrentPassword = () =>
  new GatewayError('invalid_credentials', 'The current password is incorrect. Check it, and try again.');
export const forbidden = (message: string) => new GatewayError('forbidden', message);

export const modelNotAllowed = (
  message = 'This API key is not allowed to use the requested model. GET /v1/models lists the models that it can use.',
) => new GatewayError('model_not_allowed', message, { param: 'model' });

const OBSTACLES = {
  blocked: 'the model policy blocks it',
  not_listed: 'the provider does not list it',
  not_confirmed: "the provider's model list is unavailable, so the gateway cannot confirm it",
  broken: 'it is known to be broken',
  not_answering: 'it failed its last availability check',
} as const;
export type ModelObstacle = keyof typeof OBSTACLES;

export const modelNotAvailable = (obstacle: ModelObstacle) =>
  new GatewayError(
    'model_not_available',
    `The requested model is not available: ${OBSTACLES[obstacle]}. Use a model from GET /v1/models.`,
    { param: 'model' },
  );
/** @param canName false if the provider ignores a model in the body */
export const unnamedModelNotAvailable = (canName: boolean) =>
  new GatewayError(
    'model_not_available',
    'The request does not name its model, and the provider could choose one that the model policy blocks. ' +
      (canName ? 'Name a model from GET /v1/models.' : 'Ask an operator of this gateway.'),
    { param: 'model' },
  );
export const modelEndpointMismatch = (hint: string) =>
  new GatewayError('model_endpoint_mismatch', `The requested model does not work on this route: ${hint}`, {
    param: 'model',
  });

const LIMIT_MESSAGES = {
  minute: 'Rate limit exceeded: requests per minute',
  day: 'Rate limit exceeded: requests per day',
  month: 'Monthly request limit exceeded',
  tokens: 'Monthly token limit exceeded',
} as const;
export type LimitName = keyof typeof LIMIT_MESSAGES;

/** Only the minute limit is worth a retry. For the other limits, `x-should-retry: false` stops the SDKs' retries (D5). */
export const rateLimitExceeded = (limit: LimitName, retryAfterSeconds: number) =>
  new GatewayError('rate_limit_exceeded', LIMIT_MESSAGES[limit], {
    headers: {
      'retry-after': String(retryAfterSeconds),
      ...(limit === 'minute' ? {} : { 'x-should-retry': 'false' }),
    },
  });

/** A limit that is not one of the key's own four. `error.limit` of the response describes it. */
export interface RefusingLimit {
  readonly id: number;
  readonly name: string | null;
  readonly scope: string;
  readonly measure: string;
  /** Null for a limit of concurrent requests */
  readonly period: string | null;
  /** Requests or tokens, or dollars as text. */
  readonly amount: number | string;
  readonly used: number | string;
  readonly reserved: number | string;
  readonly requested: number | string;
  /** ISO 8601; null if usage never leaves the limit, or if the time is unknown during an outage */
  readonly resets_at: string | null;
}

/**
 * @param message `limitRejection` composes it
 * @param retry `afterSeconds` is null if the time is unknown, or if no time helps
 */
export const limitExceeded = (
  message: string,
  limit: RefusingLimit,
  retry: { readonly afterSeconds: number | null; readonly helps: boolean },
) =>
  new GatewayError('rate_limit_exceeded', message, {
    headers: {
      ...(retry.afterSeconds !== null && { 'retry-after': String(retry.afterSeconds) }),
      ...(!retry.helps && { 'x-should-retry': 'false' }),
    },
    fields: { limit },
  });

/**
 * Under a cost limit, a model without a price is rejected, because it must not be treated as free.
 * @param named whether the request names a model
 */
export const modelNotPriced = (named: boolean) =>
  new GatewayError('model_not_priced', named ? MODEL_WITHOUT_PRICE : NO_MODEL_TO_PRICE, { param: 'model' });

const MODEL_WITHOUT_PRICE =
  'The requested model has no price, and a cost limit applies to this API key. Use another model, or ask an operator of this ' +
  'gateway to add a price or to set GW_UNPRICED_COST.';
const NO_MODEL_TO_PRICE =
  'The request names no model, so it has no price, and a cost limit applies to this API key. Name a model, or ask an operator of ' +
  'this gateway to add a price or to set GW_UNPRICED_COST.';

/** @param counted `tokens` or `cost`, which a limit counts */
export const usageNotMetered = (counted: 'tokens' | 'cost') =>
  new GatewayError(
    'usage_not_metered',
    `A ${counted === 'cost' ? 'cost' : 'token'} limit applies to this API key, and the gateway cannot meter the usage of this ` +
      'route. Use another route, or ask an operator of this gateway for a key without such a limit.',
  );

export const tooManyRequests = (retryAfterSeconds: number) =>
  new GatewayError('rate_limit_exceeded', 'Too many requests from this address. Try again later.', {
    headers: { 'retry-after': String(retryAfterSeconds) },
  });

export const signInLockedOut = (retryAfterSeconds: number) =>
  new GatewayError('rate_limit_exceeded', 'Too many incorrect passwords. Try again later.', {
    headers: { 'retry-after': String(retryAfterSeconds) },
  });

export const missingRequiredParameter = (param: string) =>
  new GatewayError('missing_required_parameter', `Missing required parameter: '${param}'.`, { param });
/** @param expected completes "it must be …" */
export const invalidType = (param: string | null, expected: string) =>
  new GatewayError(
    'invalid_type',
    `Invalid type for ${param === null ? 'the request body' : `'${param}'`}: it must be ${expected}.`,
    { param },
  );
export const invalidValue = (param: string, expected: string) =>
  new GatewayError('invalid_value', `Invalid value for '${param}': it must be ${expected}.`, { param });
/** @param problem a clause, such as "its closing boundary is missing" */
export const invalidForm = (problem: string, remedy: string, param: string | null) =>
  new GatewayError('invalid_value', `The form data is invalid: ${problem}. ${remedy}.`, { param });
/** @param reason a clause. Default: the route never accepts the parameter */
export const unsupportedParameter = (param: string, reason?: string) =>
  new GatewayError(
    'unsupported_parameter',
    reason === undefined
      ? `Unsupported parameter: this route does not accept '${param}'. Remove it.`
      : `Unsupported parameter: '${param}' cannot be used, because ${reason}. Remove it.`,
    { param },
  );
export const unsupportedValue = (param: string, expected: string) =>
  new GatewayError('unsupported_value', `Unsupported value for '${param}': for this model, it must be ${expected}.`, {
    param,
  });
export const validationError = (param: string | null, message: string) =>
  new GatewayError('validation_error', message, { param });

interface InvalidField {
  readonly param: string;
  readonly message: string;
}

/** @param all every invalid field. `param` and `message` of the error are those of the first one, as the specification says. */
export function invalidFields(all: readonly InvalidField[]): GatewayError {
  const [first] = all;
  const fields = all.length > 1 ? { details: all } : undefined;
  return new GatewayError('validation_error', first!.message, { param: first!.param, fields });
}

/** The Admin API's counterpart of `invalidValue`. */
export const invalidInput = (param: string, expected: string) =>
  validationError(param, invalidValue(param, expected).message);

export const invalidContentType = (expected: string) =>
  new GatewayError('invalid_content_type', `Invalid content type: this route requires 'Content-Type: ${expected}'.`);
export const invalidJson = () =>
  new GatewayError('invalid_json', 'The request body is not valid JSON. Send well-formed JSON in UTF-8.');
/** @param excess completes "it has …" */
export const jsonTooComplex = (excess: string) =>
  new GatewayError('invalid_json', `The request body is too complex: it has ${excess}. Split the request.`);
export const requestTooLarge = (bytesMax: number) =>
  new GatewayError('request_too_large', `The request body is too large. Send at most ${bytesMax} bytes.`);
export const requestTimeout = () =>
  new GatewayError('request_timeout', 'The request did not arrive in time. Check the connection, and try again.');
export const headersTooLarge = () =>
  new GatewayError('headers_too_large', 'The request headers are too large. Send fewer or shorter headers.');
export const badRequest = (message: string) => new GatewayError('bad_request', message);

export const notFound = (message: string) => new GatewayError('not_found', message);
export const routeNotFound = (message = 'This route does not exist. Check the path and the method.') =>
  new GatewayError('route_not_found', message);
export const upgradeRequired = () =>
  new GatewayError('upgrade_required', 'WebSocket connections are not supported. Send the request over HTTP.', {
    // `close`, so that bytes after the upgrade are not read as a request.
    headers: { upgrade: 'HTTP/1.1', connection: 'upgrade, close' },
  });

export const internalError = (cause: unknown) =>
  new GatewayError(
    'internal_error',
    'The gateway encountered an internal error. Report the request ID to an operator of this gateway.',
    { cause },
  );
export const upstreamError = (message: string, details: { cause?: unknown; headers?: Record<string, string> } = {}) =>
  new GatewayError('upstream_error', message, details);
export const capacityExceeded = (retryAfterSeconds: number) =>
  new GatewayError(
    'capacity_exceeded',
    'This gateway instance has reached its monthly request limit. Ask an operator of this gateway to raise it.',
    {
      headers: { 'retry-after': String(retryAfterSeconds) },
    },
  );
/** Why the owner of an object does not serve requests, with the seconds after which a request can succeed. */
const OWNER_STATES = {
  unreachable: ['cannot be reached', 1],
  refused: ['rejects requests now', 10],
  failing: ['fails to serve requests now', 10],
} as const;
/** @param owner the upstream of an object or of encrypted content that the request names */
export function ownerUnavailable(owner: string, state: keyof typeof OWNER_STATES, cause: GatewayError): GatewayError {
  const [what, seconds] = OWNER_STATES[state];
  return new GatewayError(
    'service_unavailable',
    `The upstream "${owner}", which holds or made what this request names, ${what}. Try again later.`,
    { cause, headers: { 'retry-after': String(seconds), ...cause.headers } },
  );
}
/** Has no `retry-after`, because a repeated change could be made twice. */
export const outcomeUnknown = (cause: unknown) =>
  new GatewayError(
    'outcome_unknown',
    'The database did not confirm the change, so it might have been made or might still be made. Before you repeat it, call ' +
      'GET /admin/audit-logs?request_id=… with the X-Request-Id of this response. An entry proves that the change was made.',
    { cause },
  );
export const serviceUnavailable = (cause?: unknown, retryAfterSeconds = 1) =>
  new GatewayError('service_unavailable', 'The gateway cannot serve this request right now. Try again.', {
    cause,
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
