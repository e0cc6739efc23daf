// Made by `npm run docs:api`.
/** What a code means for whoever runs the gateway, and what helps. */
export interface ErrorWords {
  readonly what: string;
  readonly help: string;
}

/** Every code that an answer may carry. */
export const ERROR_WORDS: Readonly<Record<string, ErrorWords>> = {
  missing_api_key: {
    what: 'The request came without an API key.',
    help: 'Send the key as “Authorization: Bearer sk-gw-…” (on /v1/messages “x-api-key” will do).',
  },
  invalid_api_key: {
    what: 'The key is none of this gateway, or it was sent in the wrong form.',
    help: 'Compare the last four characters with the list of keys. After a rotation the old secret is worth nothing.',
  },
  api_key_expired: {
    what: 'The key had passed its expiry date.',
    help: 'Set a later date on the page of the key, or take the date away.',
  },
  api_key_suspended: {
    what: 'The key was suspended.',
    help: 'Unsuspend it on its page if it may be used again. The audit log says who suspended it.',
  },
  api_key_revoked: { what: 'The key was revoked. That cannot be undone.', help: 'Create a new key and hand it out.' },
  invalid_credentials: {
    what: 'E-mail or password of a sign-in was wrong.',
    help: 'Sign in again. After five failures sign-in is locked for 15 minutes.',
  },
  forbidden: {
    what: 'The role does not allow this, or the call came from a foreign page.',
    help: 'Ask an owner for a higher role, or load the page again.',
  },
  model_not_allowed: {
    what: 'The model is not on the allowlist of the key.',
    help: 'Add the model to the key, or have the caller ask for one that is on its list.',
  },
  model_not_available: {
    what: 'The gateway did not route the model: it is blocked here, known to be broken, does not answer, or the provider does not list it.',
    help: 'The message says which. The Models page, or `GET /admin/model-allowlist?search=`, shows the model, which may be allowed or probed there; one that it does not show the provider does not list.',
  },
  model_endpoint_mismatch: {
    what: 'The model does not fit this route, for instance an embedding model on chat.',
    help: 'The message in the answer ends with the route that fits. The Models page lists the routes of each model.',
  },
  rate_limit_exceeded: {
    what: 'A limit of the key was used up: requests of the minute, of the day or of the month, or tokens of the month. The message says which.',
    help: 'Wait until the window ends (Retry-After), or raise the limit on the page of the key, which also shows what is left.',
  },
  missing_required_parameter: {
    what: 'A field that has to be there was left out of the body.',
    help: 'The caller has to send it: “param” in the answer names it.',
  },
  invalid_type: {
    what: 'A field of the body had the wrong type, or the body was no object.',
    help: 'The caller has to mend the body: “param” in the answer names the field.',
  },
  invalid_value: {
    what: 'A field of the body had a value that is not allowed.',
    help: 'The caller has to mend the body: “param” in the answer names the field, the message what is allowed.',
  },
  invalid_content_type: {
    what: 'The body did not come as the content type that this route takes.',
    help: 'Send “Content-Type: application/json”, or the form data that the route asks for.',
  },
  invalid_json: { what: 'The body was not JSON.', help: 'The caller has to send well-formed JSON.' },
  unsupported_parameter: {
    what: 'The body held a parameter that this route never takes.',
    help: 'Leave it out: “param” in the answer names it.',
  },
  unsupported_value: {
    what: 'This model does not take the value of a parameter.',
    help: 'Use another value or another model: “param” in the answer names the parameter.',
  },
  validation_error: {
    what: 'The input of a call of the Admin API was wrong.',
    help: '“param” in the answer names the field.',
  },
  bad_request: {
    what: 'It was not well-formed HTTP, or the body ended early.',
    help: 'Look at the client or at a proxy on the way. A caller that breaks off its upload is told this too.',
  },
  not_found: {
    what: 'There is no such object, or the model in the path is not in the list.',
    help: 'Check the id in the path. Files, threads and others belong to the provider account and may be gone there.',
  },
  route_not_found: {
    what: 'There is no such route, or not with this method.',
    help: 'Check path and method: paths begin with /v1, are case-sensitive and have no slash at their end.',
  },
  request_timeout: {
    what: 'The request did not come in time.',
    help: 'The caller sent too slowly: look at its connection or at a proxy on the way.',
  },
  request_too_large: {
    what: 'The body was larger than this route takes.',
    help: 'Send less at once: most routes take 10 MiB.',
  },
  upgrade_required: {
    what: 'The client asked for a WebSocket connection.',
    help: 'No change is needed. Clients such as Codex continue over HTTP.',
  },
  headers_too_large: { what: 'The head of the request was over 16 KB.', help: 'Send fewer or shorter headers.' },
  internal_error: {
    what: 'Something went wrong inside the gateway.',
    help: 'Look for the request id in the log of the gateway: it knows the cause.',
  },
  upstream_error: {
    what: 'The provider could not be reached, broke off, or answered with an error.',
    help: 'The answer holds what the provider said. If many requests fail like this, look at the provider’s status and at the credential of the account.',
  },
  capacity_exceeded: {
    what: 'The instance had served the number of requests that it may serve in a month.',
    help: 'Raise GW_INSTANCE_MONTHLY_CAP, or send callers to another instance.',
  },
  service_unavailable: {
    what: 'The gateway could not serve it at that moment: the database was away, no connection to the provider was free, or no memory for bodies.',
    help: 'Callers may try again after Retry-After. If it lasts, look at the database and at the log of the gateway.',
  },
};
