import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

import { SandboxMemory } from './memory/sandbox-memory.js';
import { messagesError } from './messages/messages-error.js';
import { findRoute } from './routes.js';
import type { ReceivedRequest } from './scripted/received-request.js';
import { sendReply } from './scripted/reply.js';
import { ScriptedProvider } from './scripted/scripted-provider.js';
import { type Fingerprint, fingerprintOf } from './simulation/fingerprint.js';
import type { JsonResponse, SandboxResponse } from './wire/response.js';
import { replyOf } from './wire/reply-of.js';
import { apiKeyMissing, badJson, bodyTooLarge, internalError, unknownUrl, VendorError } from './wire/vendor-error.js';
import { isMessagesVendor } from './wire/vendor-of.js';

/** Exceeds the time for which the gateway's pool keeps idle connections, so the sandbox never closes one that is in use. */
const KEEP_ALIVE_MS = 120_000;

export const BODY_BYTES_MAX = 64 * 1024 * 1024;

const NO_BODY = Buffer.alloc(0);

interface Options {
  readonly port?: number;
  /** The provider records the requests that it receives, for tests. */
  readonly records?: boolean;
}

/**
 * Starts the simulated provider with its own memory. Requests need any API key in the `Authorization` header, or in `x-api-key`
 * for Anthropic's API. Errors have the format of the route's vendor.
 */
export function startSandbox({ port = 0, records = false }: Options = {}): Promise<ScriptedProvider> {
  const memory = new SandboxMemory();

  return ScriptedProvider.start({
    port,
    records,
    at: 'head',
    keepAliveMs: KEEP_ALIVE_MS,
    script: (request, response) => serve(request, response, memory),
  });
}

async function serve(request: ReceivedRequest, res: ServerResponse, memory: SandboxMemory): Promise<void> {
  const { method, path: target, incoming } = request;
  const [path = '/', ...query] = target.split('?');
  const { headers } = incoming;
  const exchange: Exchange = {
    request,
    res,
    headers,
    method,
    target,
    path,
    query: new URLSearchParams(query.join('?')),
  };

  name(exchange, fingerprintOf(method, target, NO_BODY));
  try {
    await sendReply(res, replyOf(await responseTo(exchange, memory)));
  } catch (error) {
    if (res.headersSent) {
      // A part of the response has been sent, so only a broken connection shows the client that the rest is missing.
      res.destroy();
      return;
    }
    await sendReply(res, replyOf(errorResponseOf(error, path, headers, String(res.getHeader('request-id')))));
  }
}

interface Exchange {
  readonly request: ReceivedRequest;
  readonly res: ServerResponse;
  readonly headers: IncomingHttpHeaders;
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly query: URLSearchParams;
}

async function responseTo(exchange: Exchange, memory: SandboxMemory): Promise<SandboxResponse> {
  const { request, headers, method, target, path, query } = exchange;
  const found = findRoute(method, path);

  if (found === null) throw unknownUrl(method, path);
  if (found.route.open !== true && !hasKey(exchange)) throw apiKeyMissing();

  if (!(await request.read(BODY_BYTES_MAX))) throw bodyTooLarge(BODY_BYTES_MAX);

  const { body } = request;
  const fingerprint = fingerprintOf(method, target, body);

  name(exchange, fingerprint);

  const ask = (inner: string, innerBody: unknown): JsonResponse => askInside(inner, innerBody, headers, memory);

  return found.route.handle({ params: found.params, query, headers, body, fingerprint, memory, ask });
}

/** Answers one request of a batch. Nested batches and responses that are not JSON are rejected. */
function askInside(path: string, value: unknown, headers: IncomingHttpHeaders, memory: SandboxMemory): JsonResponse {
  const body = Buffer.from(JSON.stringify(value));
  const fingerprint = fingerprintOf('POST', path, body);
  const query = new URLSearchParams();
  const errorResponse = (error: unknown): JsonResponse =>
    errorResponseOf(error, path, headers, fingerprint.id('req_', 32));

  try {
    const found = findRoute('POST', path);

    if (found === null) throw unknownUrl('POST', path);

    const ask = (inner: string): JsonResponse => errorResponse(unknownUrl('POST', inner));
    const request = { params: found.params, query, headers, body, fingerprint, memory, ask };
    const response = found.route.handle(request);

    return response.kind === 'json' ? response : errorResponse(badJson());
  } catch (error) {
    return errorResponse(error);
  }
}

function hasKey({ headers, path }: Exchange): boolean {
  return headers.authorization !== undefined || (isMessagesVendor(path, headers) && headers['x-api-key'] !== undefined);
}

/** Sets the request ID in the vendor's header. If the body was not read, the ID does not depend on it. */
function name({ headers, res, path }: Exchange, fingerprint: Fingerprint): void {
  const id = fingerprint.id('req_', 32);

  if (isMessagesVendor(path, headers)) {
    res.setHeader('request-id', id);
    return;
  }
  res.setHeader('x-request-id', id);
  res.setHeader('openai-version', '2020-10-01');
}

function errorResponseOf(error: unknown, path: string, headers: IncomingHttpHeaders, requestId: string): JsonResponse {
  const shown = error instanceof VendorError ? error : internalError();

  if (shown !== error) process.stderr.write(`sandbox: ${error instanceof Error ? error.stack : String(error)}\n`);
  return isMessagesVendor(path, headers) ? messagesError(shown, requestId) : shown.toResponse();
}
