import { GatewayError } from './gateway-error.js';

/**
 * Factories for every refusal, one a code, so that a code always comes with the same text.
 * Texts are constant where they could tell a stranger something (D2): no unknown key differs from another.
 */

export const missingApiKey = () =>
  new GatewayError('missing_api_key', 'No API key was given: send it as "Authorization: Bearer <API_KEY>".');
/** The same code where a session would do: under /dashboard, and under /admin, which takes the admin key too (D19). */
export const missingSession = (edge: 'admin' | 'dashboard') =>
  new GatewayError(
    'missing_api_key',
    edge === 'dashboard'
      ? 'No session: sign in with POST /dashboard/session.'
      : 'No admin key and no session: send "Authorization: Bearer <ADMIN_KEY>", or sign in with POST /dashboard/session.',
  );
export const invalidApiKey = () => new GatewayError('invalid_api_key', 'The API key is not valid.');
export const apiKeyExpired = () => new GatewayError('api_key_expired', 'The API key has expired.');
export const apiKeySuspended = () => new GatewayError('api_key_suspended', 'The API key is suspended.');
export const apiKeyRevoked = () => new GatewayError('api_key_revoked', 'The API key has been revoked.');

/** One text, whether the e-mail or the password is wrong, or the operator disabled (D19). */
export const invalidCredentials = () =>
  new GatewayError('invalid_credentials', 'The e-mail or the password is not right.');
/** Of one's own change of password, where no e-mail is asked for. */
export const wrongCurrentPassword = () => new GatewayError('invalid_credentials', 'The current password is not right.');
export const forbidden = (message: string) => new GatewayError('forbidden', message);

export const modelNotAllowed = (message = 'This API key may not use the requested model.') =>
  new GatewayError('model_not_allowed', message, { param: 'model' });

/** Why a model is not routed (D12). */
const OBSTACLES = {
  blocked: 'it has been blocked here',
  not_listed: 'the provider does not list it',
  not_confirmed: "the provider's list is out of reach, and nothing else is known of it",
  broken: 'it is known not to work',
  not_answering: 'it did not answer when it was last tried',
} as const;
export type ModelObstacle = keyof typeof OBSTACLES;

export const modelNotAvailable = (obstacle: ModelObstacle) =>
  new GatewayError('model_not_available', `The requested model is not available: ${OBSTACLES[obstacle]}.`, {
    param: 'model',
  });
/** `hint` ends the message and names the right route or kind of model. */
export const modelEndpointMismatch = (hint: string) =>
  new GatewayError('model_endpoint_mismatch', `The model does not fit this route: ${hint}`, { param: 'model' });

const LIMIT_MESSAGES = {
  minute: 'Rate limit exceeded: requests per minute',
  day: 'Rate limit exceeded: requests per day',
  month: 'Monthly request limit exceeded',
  tokens: 'Monthly token limit exceeded',
} as const;
export type LimitName = keyof typeof LIMIT_MESSAGES;

/** 429. Only a minute is worth waiting for, so for the others the SDKs are told not to repeat (D5). */
export const rateLimitExceeded = (limit: LimitName, retryAfterSeconds: number) =>
  new GatewayError('rate_limit_exceeded', LIMIT_MESSAGES[limit], {
    headers: {
      'retry-after': String(retryAfterSeconds),
      ...(limit === 'minute' ? {} : { 'x-should-retry': 'false' }),
    },
  });

/** 429, the shield of /admin and /dashboard against floods. */
export const tooManyCalls = (retryAfterSeconds: number) =>
  new GatewayError('rate_limit_exceeded', 'Too many requests from this address: try again later.', {
    headers: { 'retry-after': String(retryAfterSeconds) },
  });

/** 429, the lockout: too many wrong passwords for an e-mail or from an address (D19). */
export const tooManyGuesses = (retryAfterSeconds: number) =>
  new GatewayError('rate_limit_exceeded', 'Too many wrong passwords: try again later.', {
    headers: { 'retry-after': String(retryAfterSeconds) },
  });

export const missingRequiredParameter = (param: string) =>
  new GatewayError('missing_required_parameter', `Missing required parameter: '${param}'.`, { param });
/** `expected` completes "must be …". */
export const invalidType = (param: string | null, expected: string) =>
  new GatewayError('invalid_type', `Invalid type for '${param ?? 'the body'}': it must be ${expected}.`, { param });
export const invalidValue = (param: string, expected: string) =>
  new GatewayError('invalid_value', `Invalid value for '${param}': it must be ${expected}.`, { param });
/** `problem` completes a sentence about the form, `remedy` is one. */
export const unreadableForm = (problem: string, remedy: string, param: string | null) =>
  new GatewayError('invalid_value', `The form cannot be read: ${problem}. ${remedy}.`, { param });
export const unsupportedParameter = (param: string) =>
  new GatewayError('unsupported_parameter', `Unsupported parameter: '${param}' is not supported here.`, { param });
export const unsupportedValue = (param: string, expected: string) =>
  new GatewayError('unsupported_value', `Unsupported value for '${param}': with this model it must be ${expected}.`, {
    param,
  });
export const validationError = (param: string | null, message: string) =>
  new GatewayError('validation_error', message, { param });

export const invalidContentType = (expected: string) =>
  new GatewayError('invalid_content_type', `This route takes 'Content-Type: ${expected}'.`);
export const invalidJson = () => new GatewayError('invalid_json', 'The request body is not valid JSON.');
export const requestTooLarge = (bytesMax: number) =>
  new GatewayError('request_too_large', `The request body is larger than ${bytesMax} bytes.`);
export const requestTimeout = () => new GatewayError('request_timeout', 'The request did not come in time.');
export const headersTooLarge = () => new GatewayError('headers_too_large', 'The request head is too large.');
export const badRequest = (message: string) => new GatewayError('bad_request', message);

export const notFound = (message: string) => new GatewayError('not_found', message);
export const routeNotFound = (message = 'There is no such route.') => new GatewayError('route_not_found', message);
/** 426: a WebSocket upgrade of a path that speaks HTTP only. */
export const upgradeRequired = () =>
  new GatewayError('upgrade_required', 'WebSocket is not supported here: send the request over HTTP.', {
    // Closed, so that no byte behind the upgrade is read as a request.
    headers: { upgrade: 'HTTP/1.1', connection: 'upgrade, close' },
  });

export const internalError = (cause: unknown) =>
  new GatewayError('internal_error', 'Something went wrong inside the gateway.', { cause });
/** 502 (D5). `headers` may carry `retry-after`, `x-should-retry` and `x-gw-upstream-status`. */
export const upstreamError = (message: string, details: { cause?: unknown; headers?: Record<string, string> } = {}) =>
  new GatewayError('upstream_error', message, details);
export const capacityExceeded = (retryAfterSeconds: number) =>
  new GatewayError('capacity_exceeded', 'This instance has served its monthly maximum of requests.', {
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
export const serviceUnavailable = (cause?: unknown, retryAfterSeconds = 1) =>
  new GatewayError('service_unavailable', 'The gateway cannot serve this request at the moment: try again.', {
    cause,
    headers: { 'retry-after': String(retryAfterSeconds) },
  });
