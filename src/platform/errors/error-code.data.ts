/** A group of routes that return the same errors. `groupsOf` in `src/platform/openapi/error-responses.ts` decides which routes belong to it. */
export type RouteGroup =
  | 'all'
  // Routes under /v1: all of them, and those with a body, with a certain content type, and so on.
  | 'v1'
  | 'v1-body'
  | 'v1-content-type'
  | 'v1-json'
  | 'v1-fields'
  | 'v1-model'
  | 'v1-counted'
  | 'v1-id'
  // Routes of the Admin API and the dashboard: all of them, and those that require a session, take a body, or check the role.
  | 'operator'
  | 'operator-session'
  | 'operator-body'
  | 'operator-role'
  | 'admin'
  | 'admin-id'
  | 'admin-subroute'
  // Dashboard routes: sign-in, and all routes that take a password.
  | 'sign-in'
  | 'password';

interface ErrorDefinition {
  readonly status: number;
  readonly type: 'authentication_error' | 'invalid_request_error' | 'rate_limit_error' | 'api_error';
  /** The route groups and single operations whose API description lists the code. */
  readonly returnedBy: readonly (RouteGroup | `${'GET' | 'POST' | 'DELETE'} /${'v1' | 'admin'}/${string}`)[];
  /** Stage 3 or 5 rejects some keys with this code, so the key is read again before the response is sent (D3). */
  readonly keyDependent?: true;
  /** The cause, for operators. */
  readonly what: string;
  /** The remedy, for operators. */
  readonly help: string;
}

/** To add a code, add a row here and a factory in `error-factories.ts`. The contract is docs/behaviour/streaming-and-errors.md. */
export const ERROR_CODES = table({
  missing_api_key: {
    status: 401,
    type: 'authentication_error',
    returnedBy: ['v1', 'operator-session'],
    what: 'The request had no API key.',
    help: 'Send the key as “Authorization: Bearer sk-gw-…”. /v1/messages also accepts “x-api-key”.',
  },
  invalid_api_key: {
    status: 401,
    type: 'authentication_error',
    returnedBy: ['v1', 'admin'],
    keyDependent: true,
    what: 'The API key did not exist, or the request sent it in the wrong form.',
    help: 'Compare the last four characters with the list of keys. After a rotation, the old raw key is invalid.',
  },
  api_key_expired: {
    status: 401,
    type: 'authentication_error',
    returnedBy: ['v1'],
    keyDependent: true,
    what: 'The API key had expired.',
    help: 'Set a later expiry date on the key’s page, or remove the date.',
  },
  api_key_suspended: {
    status: 403,
    type: 'authentication_error',
    returnedBy: ['v1'],
    keyDependent: true,
    what: 'The API key was suspended.',
    help: 'Unsuspend the key on its page. The audit log shows who suspended it.',
  },
  api_key_revoked: {
    status: 403,
    type: 'authentication_error',
    returnedBy: ['v1'],
    keyDependent: true,
    what: 'The API key was revoked. This cannot be undone.',
    help: 'Create a new key and give it to the caller.',
  },
  invalid_credentials: {
    status: 401,
    type: 'authentication_error',
    returnedBy: ['password'],
    what: 'The email or the password was incorrect.',
    help: 'Sign in again. After five failures, sign-in is locked for 15 minutes.',
  },
  forbidden: {
    status: 403,
    type: 'authentication_error',
    returnedBy: ['operator-role'],
    what: 'The operator’s role did not allow the request, the CSRF token was missing or invalid, or the request came from another site.',
    help: 'Ask an owner for a higher role, or reload the page.',
  },
  model_not_allowed: {
    status: 403,
    type: 'authentication_error',
    returnedBy: ['v1-model', 'GET /v1/models/{model}'],
    keyDependent: true,
    what: 'The model was not one of the key’s allowed models.',
    help: 'Add the model to the key’s allowed models, or request one of them.',
  },
  model_not_available: {
    status: 403,
    type: 'authentication_error',
    returnedBy: ['v1-model', 'GET /v1/models/{model}'],
    keyDependent: true,
    what: 'The gateway did not route the model: it was blocked, known to be broken, failing its probes, or not listed by the provider.',
    help: 'The message gives the reason. The Models page and `GET /admin/model-allowlist?search=` show the model, and you can allow or probe it there. If the model is missing there, the provider does not list it.',
  },
  model_endpoint_mismatch: {
    status: 400,
    type: 'invalid_request_error',
    returnedBy: ['v1-model'],
    keyDependent: true,
    what: 'The model does not work on this route, for example an embedding model on chat completions.',
    help: 'The error message ends with the route to use. The Models page lists the routes of each model.',
  },
  model_not_priced: {
    status: 403,
    type: 'authentication_error',
    returnedBy: ['v1-model'],
    what: 'The model has no price, and a cost limit applied to the request.',
    help: 'Add a price for the model on the Prices page, or set GW_UNPRICED_COST to a price for all such models.',
  },
  usage_not_metered: {
    status: 403,
    type: 'authentication_error',
    returnedBy: ['v1-counted'],
    what: 'The gateway cannot meter the usage of this route, and a token or cost limit applied to the request.',
    help: 'Use a key without such a limit. Batches, realtime sessions and assistant runs are not metered.',
  },
  rate_limit_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    returnedBy: ['v1-counted', 'operator'],
    what: 'The key had reached one of its own limits, or a limit of the account, its team or a tag. The message names the limit.',
    help: 'Wait for the number of seconds in Retry-After, or raise the limit on the key’s page or the Budgets page. The key’s page also shows the remaining quota.',
  },
  missing_required_parameter: {
    status: 400,
    type: 'invalid_request_error',
    returnedBy: ['v1-fields'],
    what: 'The body lacked a required field.',
    help: 'Add the field named in “param” of the error.',
  },
  invalid_type: {
    status: 400,
    type: 'invalid_request_error',
    returnedBy: ['v1-fields', 'operator-body'],
    what: 'A field of the body had the wrong type, or the body was not a JSON object.',
    help: 'Fix the field named in “param” of the error.',
  },
  invalid_value: {
    status: 400,
    type: 'invalid_request_error',
    returnedBy: ['v1-fields', 'GET /v1/models'],
    what: 'A field of the body had a value that is not allowed.',
    help: 'Fix the field named in “param” of the error. The message describes the allowed values.',
  },
  invalid_content_type: {
    status: 400,
    type: 'invalid_request_error',
    returnedBy: ['v1-content-type', 'sign-in'],
    what: 'The route does not accept the Content-Type of the request.',
    help: 'Send “Content-Type: application/json”, or the form data that the route requires.',
  },
  invalid_json: {
    status: 400,
    type: 'invalid_request_error',
    returnedBy: ['v1-json', 'operator-body'],
    what: 'The body was not valid JSON, or had too many fields and lists.',
    help: 'Send well-formed JSON in UTF-8. If the message says that the body is too complex, split the request.',
  },
  unsupported_parameter: {
    status: 400,
    type: 'invalid_request_error',
    returnedBy: ['POST /v1/completions'],
    what: 'The body had a parameter that this route never accepts.',
    help: 'Remove the parameter named in “param” of the error.',
  },
  unsupported_value: {
    status: 400,
    type: 'invalid_request_error',
    returnedBy: [
      'POST /v1/chat/completions',
      'POST /v1/completions',
      'POST /v1/audio/speech',
      'POST /v1/images/generations',
      'POST /v1/images/edits',
    ],
    what: 'The model does not accept the value of a parameter.',
    help: 'Use another value for the parameter named in “param” of the error, or another model.',
  },
  validation_error: {
    status: 400,
    type: 'invalid_request_error',
    returnedBy: ['admin', 'password'],
    what: 'The input of an Admin API request was invalid.',
    help: 'Fix the field named in “param” of the error.',
  },
  bad_request: {
    status: 400,
    type: 'invalid_request_error',
    returnedBy: ['all'],
    what: 'The request was not well-formed HTTP, had two headers such as Authorization, or its body ended early.',
    help: 'Check the client and any proxy in between. A client that aborts its upload also gets this error.',
  },
  not_found: {
    status: 404,
    type: 'invalid_request_error',
    returnedBy: ['admin-id', 'GET /v1/models/{model}', 'GET /admin/prices/lookup', 'DELETE /admin/sessions'],
    what: 'The object did not exist, or the model in the path was not in the model catalog.',
    help: 'Check the ID in the path. Files, threads and similar objects belong to the provider account, and might have been deleted there.',
  },
  route_not_found: {
    status: 404,
    type: 'invalid_request_error',
    returnedBy: ['v1-id', 'admin-subroute'],
    what: 'The route did not exist, or did not support the method.',
    help: 'Check the path and the method. Paths start with /v1, are case-sensitive and have no trailing slash.',
  },
  request_timeout: {
    status: 408,
    type: 'invalid_request_error',
    returnedBy: ['all'],
    what: 'The request did not arrive in time.',
    help: 'The client sent too slowly. Check its connection and any proxy in between.',
  },
  request_too_large: {
    status: 413,
    type: 'invalid_request_error',
    returnedBy: ['v1-body', 'operator-body'],
    what: 'The body was larger than this route accepts.',
    help: 'Send a smaller body. Most routes accept 10 MiB.',
  },
  upgrade_required: {
    status: 426,
    type: 'invalid_request_error',
    // Empty, because the code is returned before the route is looked up.
    returnedBy: [],
    what: 'The client requested a WebSocket connection.',
    help: 'No action is needed. Clients such as Codex continue over HTTP.',
  },
  headers_too_large: {
    status: 431,
    type: 'invalid_request_error',
    returnedBy: ['all'],
    what: 'The request line and the headers together exceeded 16 KiB.',
    help: 'Send fewer or shorter headers.',
  },
  internal_error: {
    status: 500,
    type: 'api_error',
    returnedBy: ['all'],
    what: 'The gateway encountered an internal error.',
    help: 'Search the gateway’s log for the request ID to find the cause.',
  },
  upstream_error: {
    status: 502,
    type: 'api_error',
    returnedBy: ['v1-counted'],
    what: 'The provider was unreachable, closed the connection early, or returned an error.',
    help: 'The response contains the provider’s message. If many requests fail this way, check the provider’s status and the credential of the provider account.',
  },
  capacity_exceeded: {
    status: 503,
    type: 'api_error',
    returnedBy: ['v1-counted'],
    what: 'The instance had reached its monthly request limit.',
    help: 'Raise GW_INSTANCE_MONTHLY_CAP, or send requests to another instance.',
  },
  outcome_unknown: {
    status: 503,
    type: 'api_error',
    returnedBy: ['operator'],
    what: 'The database did not confirm a change, so it might have been made or might still be made.',
    help: 'Before you repeat the change, look for the response’s X-Request-Id in the audit log. An entry proves that the change was made.',
  },
  service_unavailable: {
    status: 503,
    type: 'api_error',
    returnedBy: ['v1', 'operator'],
    what: 'The gateway could not serve the request: the database was unavailable, no upstream connection was free, or the memory for request bodies was used up.',
    help: 'Wait for the number of seconds in Retry-After, then retry. If the error persists, check the database and the gateway’s log.',
  },
});

export type ErrorCode = keyof typeof ERROR_CODES;

/** Anthropic's SDKs and Claude Code use these types to decide whether to retry and what to show. */
export const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  529: 'overloaded_error',
};

function table<Code extends string>(
  rows: Readonly<Record<Code, ErrorDefinition>>,
): Readonly<Record<Code, ErrorDefinition>> {
  return rows;
}

/**
 * Statuses of a provider that `GW_UPSTREAM_ERRORS=relay` forwards. They are about the caller's request. 401, 402 and 403 concern
 * the operator's account, so they become 502.
 */
export const RELAYED_STATUSES: ReadonlySet<number> = new Set([400, 404, 408, 409, 413, 422, 429, 529]);
