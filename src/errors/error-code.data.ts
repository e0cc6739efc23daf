/**
 * The error codes: status, envelope `type`, and an explanation for operators. `what` is the cause and `help` is the remedy.
 * Source: docs/behaviour/streaming-and-errors.md.
 */
export const ERROR_CODES = {
  missing_api_key: {
    status: 401,
    type: 'authentication_error',
    what: 'The request had no API key.',
    help: 'Send the key as “Authorization: Bearer sk-gw-…”. /v1/messages also accepts “x-api-key”.',
  },
  invalid_api_key: {
    status: 401,
    type: 'authentication_error',
    what: 'The API key did not exist, or the request sent it in the wrong form.',
    help: 'Compare the last four characters with the list of keys. After a rotation, the old raw key is invalid.',
  },
  api_key_expired: {
    status: 401,
    type: 'authentication_error',
    what: 'The API key had expired.',
    help: 'Set a later expiry date on the key’s page, or remove the date.',
  },
  api_key_suspended: {
    status: 403,
    type: 'authentication_error',
    what: 'The API key was suspended.',
    help: 'Unsuspend it on its page to allow it again. The audit log shows who suspended it.',
  },
  api_key_revoked: {
    status: 403,
    type: 'authentication_error',
    what: 'The API key was revoked. This cannot be undone.',
    help: 'Create a new key and give it to the caller.',
  },
  invalid_credentials: {
    status: 401,
    type: 'authentication_error',
    what: 'The email or the password was incorrect.',
    help: 'Sign in again. After five failures, sign-in is locked for 15 minutes.',
  },
  forbidden: {
    status: 403,
    type: 'authentication_error',
    what: 'The operator’s role did not allow the request, the CSRF token was missing or invalid, or the request came from another site.',
    help: 'Ask an owner for a higher role, or reload the page.',
  },
  model_not_allowed: {
    status: 403,
    type: 'authentication_error',
    what: 'The model was not on the key’s allowlist.',
    help: 'Add the model to the key’s allowlist, or request a model that is on it.',
  },
  model_not_available: {
    status: 403,
    type: 'authentication_error',
    what: 'The gateway did not route the model: it was blocked, known to be broken, failing its probes, or not listed by the provider.',
    help: 'The message gives the reason. The Models page and `GET /admin/model-allowlist?search=` show the model, and you can allow or probe it there. If the model is missing there, the provider does not list it.',
  },
  model_endpoint_mismatch: {
    status: 400,
    type: 'invalid_request_error',
    what: 'The model does not work on this route, for example an embedding model on chat completions.',
    help: 'The error message ends with the route to use. The Models page lists the routes of each model.',
  },
  rate_limit_exceeded: {
    status: 429,
    type: 'rate_limit_error',
    what: 'The key had reached a limit: requests per minute, per day or per month, or tokens per month. The message names the limit.',
    help: 'Wait for the number of seconds in Retry-After, or raise the limit on the key’s page. That page also shows the remaining quota.',
  },
  missing_required_parameter: {
    status: 400,
    type: 'invalid_request_error',
    what: 'The body lacked a required field.',
    help: 'Add the field that “param” in the error names.',
  },
  invalid_type: {
    status: 400,
    type: 'invalid_request_error',
    what: 'A field of the body had the wrong type, or the body was not a JSON object.',
    help: 'Fix the field that “param” in the error names.',
  },
  invalid_value: {
    status: 400,
    type: 'invalid_request_error',
    what: 'A field of the body had a value that is not allowed.',
    help: 'Fix the field that “param” in the error names. The message describes the allowed values.',
  },
  invalid_content_type: {
    status: 400,
    type: 'invalid_request_error',
    what: 'The route does not accept the Content-Type of the request.',
    help: 'Send “Content-Type: application/json”, or the form data that the route requires.',
  },
  invalid_json: {
    status: 400,
    type: 'invalid_request_error',
    what: 'The body was not valid JSON.',
    help: 'Send well-formed JSON in UTF-8.',
  },
  unsupported_parameter: {
    status: 400,
    type: 'invalid_request_error',
    what: 'The body had a parameter that this route never accepts.',
    help: 'Remove the parameter that “param” in the error names.',
  },
  unsupported_value: {
    status: 400,
    type: 'invalid_request_error',
    what: 'The model does not accept the value of a parameter.',
    help: 'Use another value or another model. “param” in the error names the parameter.',
  },
  validation_error: {
    status: 400,
    type: 'invalid_request_error',
    what: 'The input of an Admin API request was invalid.',
    help: 'Fix the field that “param” in the error names.',
  },
  bad_request: {
    status: 400,
    type: 'invalid_request_error',
    what: 'The request was not well-formed HTTP, or its body ended early.',
    help: 'Check the client and any proxy in between. A client that aborts its upload also gets this error.',
  },
  not_found: {
    status: 404,
    type: 'invalid_request_error',
    what: 'The object did not exist, or the model in the path was not in the model list.',
    help: 'Check the ID in the path. Files, threads and similar objects belong to the provider account, and might have been deleted there.',
  },
  route_not_found: {
    status: 404,
    type: 'invalid_request_error',
    what: 'The route did not exist, or did not support the method.',
    help: 'Check the path and the method. Paths begin with /v1, are case-sensitive and have no trailing slash.',
  },
  request_timeout: {
    status: 408,
    type: 'invalid_request_error',
    what: 'The request did not arrive in time.',
    help: 'The client sent too slowly. Check its connection and any proxy in between.',
  },
  request_too_large: {
    status: 413,
    type: 'invalid_request_error',
    what: 'The body was larger than this route accepts.',
    help: 'Send a smaller body. Most routes accept 10 MiB.',
  },
  upgrade_required: {
    status: 426,
    type: 'invalid_request_error',
    what: 'The client asked for a WebSocket connection.',
    help: 'No action is needed. Clients such as Codex continue over HTTP.',
  },
  headers_too_large: {
    status: 431,
    type: 'invalid_request_error',
    what: 'The request line and the headers together exceeded 16 KiB.',
    help: 'Send fewer or shorter headers.',
  },
  internal_error: {
    status: 500,
    type: 'api_error',
    what: 'The gateway encountered an internal error.',
    help: 'Search the gateway’s log for the request ID to find the cause.',
  },
  upstream_error: {
    status: 502,
    type: 'api_error',
    what: 'The provider was unreachable, closed the connection early, or returned an error.',
    help: 'The response contains the provider’s message. If many requests fail this way, check the provider’s status and the credential of the provider account.',
  },
  capacity_exceeded: {
    status: 503,
    type: 'api_error',
    what: 'The instance had reached its monthly request limit.',
    help: 'Raise GW_INSTANCE_MONTHLY_CAP, or send requests to another instance.',
  },
  service_unavailable: {
    status: 503,
    type: 'api_error',
    what: 'The gateway could not serve the request: the database was unavailable, no upstream connection was free, or the memory for request bodies was used up.',
    help: 'Retry after the time in Retry-After. If the error persists, check the database and the gateway’s log.',
  },
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;
