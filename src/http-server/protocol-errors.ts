import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { badRequest, headersTooLarge, requestTimeout, routeNotFound } from '../errors/catalogue.js';
import type { GatewayError } from '../errors/gateway-error.js';
import { breakBody } from './broken-body.js';
import { newRequestId } from '../request-context/request-id.js';

interface BrokenSocket extends Socket {
  /** Node's own link to the answer under way on this connection. */
  _httpMessage?: ServerResponse | null;
}

const ERRORS: Readonly<Record<string, () => GatewayError>> = {
  HPE_HEADER_OVERFLOW: headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: requestTimeout,
};

/** Requests whose client waits for `100 Continue` before it sends the body. `startContext` reads it. */
export const awaitingContinue = new WeakSet<IncomingMessage>();

const refused = new WeakSet<Socket>();

/** What is no HTTP at all gets the envelope and a request id like everything else: 400, 408 or 431 (D1). */
export function answerClientError(error: NodeJS.ErrnoException, socket: BrokenSocket): void {
  const before = socket._httpMessage ?? null;
  // More of what has been refused.
  if (refused.has(socket) && error.code !== 'ECONNRESET') return;
  // In the middle of an answer, or gone: nothing can be said any more.
  if (error.code === 'ECONNRESET' || !socket.writable || before?.headersSent === true) {
    socket.destroy();
    return;
  }
  const refusal = (ERRORS[error.code ?? ''] ?? (() => badRequest('This is not a well-formed HTTP request.')))();
  refused.add(socket);
  takeErrorsOf(socket);
  if (before === null) endWith(socket, refusal);
  // Garbage behind a whole request that is still being served: its answer goes first.
  else if (before.req.complete) before.once('finish', () => endWith(socket, refusal));
  else refuseBody(before, refusal);
}

/** A request under way answers for itself: with the headers and the record of every other refusal. */
function refuseBody(res: ServerResponse, refusal: GatewayError): void {
  res.shouldKeepAlive = false;
  breakBody(res.req, refusal);
}

function endWith(socket: Socket, refusal: GatewayError): void {
  const requestId = newRequestId(Date.now());
  const body = refusal.envelope(requestId);
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_TEXTS[refusal.status] ?? ''}`,
    `x-request-id: ${requestId}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

// Node has taken its own listener off: a peer that resets the connection now would end the process.
const takeErrorsOf = (socket: Socket) => socket.on('error', () => socket.destroy());

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'Not Found',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/**
 * Brings to the pipeline what Node would answer by itself, or not at all: `CONNECT` is an unknown route; `Expect: 100-continue`
 * is granted only when the body is first read, so that a refused key costs no upload; an unknown `Expect` is served as if it
 * were not there.
 */
export function overrideNodeDefaults(server: Server): void {
  server.on('connect', (_req: IncomingMessage, socket: Socket) => {
    takeErrorsOf(socket);
    endWith(socket, routeNotFound());
  });
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
    awaitingContinue.add(req);
    server.emit('request', req, res);
  });
  server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => server.emit('request', req, res));
}
