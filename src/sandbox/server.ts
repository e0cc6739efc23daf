import http from 'node:http';

import { SandboxMemory } from './memory/sandbox-memory.js';
import { messagesError } from './messages/messages-error.js';
import { findRoute } from './routes.js';
import { type Fingerprint, fingerprintOf } from './simulation/fingerprint.js';
import type { SandboxAnswer } from './wire/answer.js';
import { ClientGone, readBody } from './wire/read-body.js';
import { apiKeyMissing, internalError, unknownUrl, VendorError } from './wire/vendor-error.js';
import { writeAnswer } from './wire/write-answer.js';

/** Longer than a gateway's pool keeps its idle connections, so that it is never this side that closes one in use. */
const KEEP_ALIVE_MS = 120_000;

const NO_BODY = Buffer.alloc(0);

/** Where the other vendor answers: with headers, credentials and errors of its own. */
const MESSAGES = /^\/v1\/messages(?:\/|$)/;

/**
 * The simulated provider as a server that does not listen yet, with a memory of its own. It asks for a key in an
 * `Authorization` header, or in `x-api-key` for messages, whose value it does not look at; every refusal comes in the
 * error shape of the route's vendor.
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
    await writeAnswer(res, refusalOf(error, exchange));
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

  name(exchange, fingerprint);
  return found.route.handle({ params: found.params, query, headers: req.headers, body, fingerprint, memory });
}

function hasKey({ req, path }: Exchange): boolean {
  return req.headers.authorization !== undefined || (MESSAGES.test(path) && req.headers['x-api-key'] !== undefined);
}

/** Gives the answer its id in the vendor's header; a refusal before the body has one without it. */
function name({ res, path }: Exchange, fingerprint: Fingerprint): void {
  const id = fingerprint.id('req_', 32);

  if (MESSAGES.test(path)) {
    res.setHeader('request-id', id);
    return;
  }
  res.setHeader('x-request-id', id);
  res.setHeader('openai-version', '2020-10-01');
}

function refusalOf(error: unknown, { res, path }: Exchange): SandboxAnswer {
  const refusal = error instanceof VendorError ? error : internalError();

  if (refusal !== error) process.stderr.write(`sandbox: ${error instanceof Error ? error.stack : String(error)}\n`);
  return MESSAGES.test(path) ? messagesError(refusal, String(res.getHeader('request-id'))) : refusal.toAnswer();
}
