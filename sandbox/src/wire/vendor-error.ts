import { CONTEXT_TOKENS } from '../simulation/context-window.js';
import type { JsonResponse } from './response.js';

/** An error in OpenAI's format: `{ error: { message, type, param, code } }`. */
export class VendorError extends Error {
  readonly headers: Readonly<Record<string, string>> = {};

  constructor(
    readonly status: number,
    message: string,
    readonly code: string | null = null,
    readonly param: string | null = null,
    readonly type = 'invalid_request_error',
  ) {
    super(message);
  }

  toResponse(): JsonResponse {
    const { message, type, param, code, headers } = this;

    return { kind: 'json', status: this.status, body: { error: { message, type, param, code } }, headers };
  }
}

class RetryLater extends VendorError {
  override readonly headers = { 'retry-after': '1' };
}

export const apiKeyMissing = (): VendorError =>
  new VendorError(
    401,
    "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth " +
      '(i.e. Authorization: Bearer YOUR_KEY).',
  );

export const unknownUrl = (method: string, path: string): VendorError =>
  new VendorError(404, `Invalid URL (${method} ${path})`);

export const modelNotFound = (model: string): VendorError =>
  new VendorError(
    404,
    `The model \`${model}\` does not exist or you do not have access to it.`,
    'model_not_found',
    'model',
  );

export const wrongState = (what: string, status: unknown): VendorError =>
  new VendorError(400, `Cannot change a ${what} with status '${String(status)}'.`);

export const objectNotFound = (what: string, id: string): VendorError =>
  new VendorError(404, `No ${what} found with id '${id}'.`, null, 'id');

export const invalidModel = (message: string): VendorError => new VendorError(400, message, null, 'model');

export const bodyTooLarge = (bytesMax: number): VendorError =>
  new VendorError(413, `The request body is too large. The limit is ${bytesMax} bytes.`, 'request_too_large');

export const badJson = (): VendorError =>
  new VendorError(400, 'We could not parse the JSON body of your request. It must be one JSON object.');

export const missingParameter = (param: string): VendorError =>
  new VendorError(400, `Missing required parameter: '${param}'.`, 'missing_required_parameter', param);

export const invalidType = (param: string, expected: string): VendorError =>
  new VendorError(400, `Invalid type for '${param}': it must be ${expected}.`, 'invalid_type', param);

export const invalidValue = (param: string, allowed: string): VendorError =>
  new VendorError(400, `Invalid value for '${param}': ${allowed}.`, 'invalid_value', param);

export const contextExceeded = (tokens: number, param: string): VendorError =>
  new VendorError(
    400,
    `This model's maximum context length is ${CONTEXT_TOKENS} tokens. However, your request has ${tokens} tokens. ` +
      `Please reduce the length of '${param}'.`,
    'context_length_exceeded',
    param,
  );

export const rateLimited = (model: string): VendorError =>
  new RetryLater(
    429,
    `Rate limit reached for ${model} on requests per minute. Please try again in 1s.`,
    'rate_limit_exceeded',
    null,
    'requests',
  );

export const overloaded = (): VendorError => new RetryLater(529, 'Overloaded', 'overloaded', null, 'server_error');

export const internalError = (): VendorError =>
  new VendorError(500, 'The sandbox had an error while processing your request.', null, null, 'server_error');
