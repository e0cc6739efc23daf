import http from 'node:http';

import { findRoute } from './routes.js';
import { type Fingerprint, fingerprintOf } from './simulation/fingerprint.js';
import type { SandboxAnswer } from './wire/exchange.js';
import { ClientGone, readBody } from './wire/read-body.js';
import { apiKeyMissing, internalError, unknownUrl, VendorError } from './wire/vendor-error.js';
import { writeAnswer } from './wire/write-answer.js';

/** Longer than a gateway's pool keeps its idle connections, so that it is never this side that closes one in use. */
const KEEP_ALIVE_MS = 120_000;

const NO_BODY = Buffer.alloc(0);

/**
 * The simulated provider as a server that does not listen yet. Every route but an unknown one asks for an
 * `Authorization` header, whose value it does not look at; every refusal comes in the vendor's error shape.
 */
export function createSandbox(): http.Server {
  const server = http.createServer((req, res) => {
    void serve(req, res);
  });

  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.headersTimeout = 0;
  server.requestTimeout = 0;
  server.timeout = 0;
  return server;
}

async function serve(req: http.IncomingMessage, res: http.ServerResponse): Promise<void> {
  try {
    await writeAnswer(res, await answerTo(req, res));
  } catch (error) {
    if (error instanceof ClientGone) return;
    if (res.headersSent) {
      // Half an answer is out: only a cut connection tells the client that the rest is missing.
      res.destroy();
      return;
    }
    await writeAnswer(res, refusalOf(error));
  }
}

async function answerTo(req: http.IncomingMessage, res: http.ServerResponse): Promise<SandboxAnswer> {
  const method = req.method ?? 'GET';
  const target = req.url ?? '/';
  const path = target.split('?', 1)[0] ?? target;
  const found = findRoute(method, path);

  name(res, fingerprintOf(method, target, NO_BODY));
  if (found === null) throw unknownUrl(method, path);
  if (req.headers.authorization === undefined) throw apiKeyMissing();

  const body = await readBody(req);
  const fingerprint = fingerprintOf(method, target, body);

  name(res, fingerprint);
  return found.route.handle({ params: found.params, body, fingerprint });
}

/** Gives the answer its id in the vendor's header; a refusal before the body has one without it. */
function name(res: http.ServerResponse, fingerprint: Fingerprint): void {
  res.setHeader('x-request-id', fingerprint.id('req_', 32));
}

function refusalOf(error: unknown): SandboxAnswer {
  if (error instanceof VendorError) return error.toAnswer();
  process.stderr.write(`sandbox: ${error instanceof Error ? error.stack : String(error)}\n`);
  return internalError().toAnswer();
}
