import http from 'node:http';

import { SandboxMemory } from './memory/sandbox-memory.js';
import { messagesError } from './messages/messages-error.js';
import { findRoute } from './routes.js';
import { type Fingerprint, fingerprintOf } from './simulation/fingerprint.js';
import type { JsonAnswer, SandboxAnswer } from './wire/answer.js';
import { ClientGone, readBody } from './wire/read-body.js';
import { apiKeyMissing, badJson, internalError, unknownUrl, VendorError } from './wire/vendor-error.js';
import { isMessagesVendor } from './wire/vendor-of.js';
import { writeAnswer } from './wire/write-answer.js';

/** Longer than a gateway's pool keeps its idle connections, so that it is never this side that closes one in use. */
const KEEP_ALIVE_MS = 120_000;

const NO_BODY = Buffer.alloc(0);

/**
 * The simulated provider as a server that does not listen yet, with a memory of its own. It needs a key in an
 * `Authorization` header, or in `x-api-key` for the messages vendor, and accepts any value. Errors have the shape of
 * the route's vendor.
 */
export function createSandbox(): http.Server {
  const memory = new SandboxMemory();
  const server = http.createServer((req, res) => {
    void serve(req, res, memory);
  });

  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = 0;
  server.requestTimeout = 0;
  server.timeout = 0;
  return server;
}

async function serve(req: http.IncomingMessage, res: http.ServerResponse, memory: SandboxMemory): Promise<void> {
  const method = req.method ?? 'GET';
  const target = req.url ?? '/';
  const [path = '/', ...query] = target.split('?');
  const exchange: Exchange = { req, res, method, target, path, query: new URLSearchParams(query.join('?')) };

  name(exchange, fingerprintOf(method, target, NO_BODY));
  try {
    await writeAnswer(res, await answerTo(exchange, memory));
  } catch (error) {
    if (error instanceof ClientGone) return;
    if (res.headersSent) {
      // Half an answer is out: only a cut connection tells the client that the rest is missing.
      res.destroy();
      return;
    }
    await writeAnswer(res, refusalOf(error, path, req.headers, String(res.getHeader('request-id'))));
  }
}

interface Exchange {
  readonly req: http.IncomingMessage;
  readonly res: http.ServerResponse;
  readonly method: string;
  /** The path with its query, as it came. */
  readonly target: string;
  readonly path: string;
  readonly query: URLSearchParams;
}

async function answerTo(exchange: Exchange, memory: SandboxMemory): Promise<SandboxAnswer> {
  const { req, method, target, path, query } = exchange;
  const found = findRoute(method, path);

  if (found === null) throw unknownUrl(method, path);
  if (found.route.open !== true && !hasKey(exchange)) throw apiKeyMissing();

  const body = await readBody(req);
  const fingerprint = fingerprintOf(method, target, body);
  const { headers } = req;

  name(exchange, fingerprint);

  const ask = (inner: string, innerBody: unknown): JsonAnswer => askInside(inner, innerBody, headers, memory);

  return found.route.handle({ params: found.params, query, headers, body, fingerprint, memory, ask });
}

/** Answers one request of a batch. Batches inside of batches, and answers that are not JSON, are refused. */
function askInside(path: string, value: unknown, headers: http.IncomingHttpHeaders, memory: SandboxMemory): JsonAnswer {
  const body = Buffer.from(JSON.stringify(value));
  const fingerprint = fingerprintOf('POST', path, body);
  const query = new URLSearchParams();
  const refuse = (error: unknown): JsonAnswer => refusalOf(error, path, headers, fingerprint.id('req_', 32));

  try {
    const found = findRoute('POST', path);

    if (found === null) throw unknownUrl('POST', path);

    const ask = (inner: string): JsonAnswer => refuse(unknownUrl('POST', inner));
    const request = { params: found.params, query, headers, body, fingerprint, memory, ask };
    const answer = found.route.handle(request);

    return answer.kind === 'json' ? answer : refuse(badJson());
  } catch (error) {
    return refuse(error);
  }
}

function hasKey({ req, path }: Exchange): boolean {
  const { headers } = req;

  return headers.authorization !== undefined || (isMessagesVendor(path, headers) && headers['x-api-key'] !== undefined);
}

/** Sets the request ID in the vendor's header. An error before the body was read has an ID without the body. */
function name({ req, res, path }: Exchange, fingerprint: Fingerprint): void {
  const id = fingerprint.id('req_', 32);

  if (isMessagesVendor(path, req.headers)) {
    res.setHeader('request-id', id);
    return;
  }
  res.setHeader('x-request-id', id);
  res.setHeader('openai-version', '2020-10-01');
}

function refusalOf(error: unknown, path: string, headers: http.IncomingHttpHeaders, requestId: string): JsonAnswer {
  const refusal = error instanceof VendorError ? error : internalError();

  if (refusal !== error) process.stderr.write(`sandbox: ${error instanceof Error ? error.stack : String(error)}\n`);
  return isMessagesVendor(path, headers) ? messagesError(refusal, requestId) : refusal.toAnswer();
}
