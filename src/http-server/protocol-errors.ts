import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { badRequest, headersTooLarge, requestTimeout, routeNotFound } from '../errors/catalogue.js';
import { GatewayError } from '../errors/gateway-error.js';
import { newRequestId } from '../request-context/request-id.js';

interface BrokenSocket extends Socket {
  /** Node's internal link to the current response on this connection. */
  _httpMessage?: ServerResponse | null;
}

const ERRORS: Readonly<Record<string, () => GatewayError>> = {
  HPE_HEADER_OVERFLOW: headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: requestTimeout,
};

/** Requests whose client waits for `100 Continue` before it sends the body. `startContext` reads it. */
export const awaitingContinue = new WeakSet<IncomingMessage>();

const refused = new WeakSet<Socket>();

/**
 * Answers malformed HTTP with the error envelope and a request ID: 400, 408 or 431 (D1).
 *
 * - Symptom: Node answers with a bare status line, without a body and a request ID, and closes the connection, also while an
 *   earlier request is being served. Its response can only be found through `_httpMessage`.
 * - Upstream issue: https://github.com/nodejs/node/pull/34465 discusses it.
 * - Remove when: `clientError` passes the current response to its listener.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: BrokenSocket): void {
  const before = socket._httpMessage ?? null;
  // More bytes of a request that has been refused.
  if (refused.has(socket) && error.code !== 'ECONNRESET') return;
  // In the middle of a response, or disconnected: nothing can be sent.
  if (error.code === 'ECONNRESET' || !socket.writable || before?.headersSent === true) {
    socket.destroy();
    return;
  }
  const refusal = (ERRORS[error.code ?? ''] ?? (() => badRequest('This is not a well-formed HTTP request.')))();
  refused.add(socket);
  takeErrorsOf(socket);
  if (before === null) endWith(socket, refusal);
  // Malformed bytes after a complete request: its response is sent first.
  else if (before.req.complete) before.once('finish', () => endWith(socket, refusal));
  else refuseBody(before, refusal);
}

/** The current request is refused like any other, with all headers and a record. */
function refuseBody(res: ServerResponse, refusal: GatewayError): void {
  res.shouldKeepAlive = false;
  brokenBodies.set(res.req, refusal);
  if (res.req.listenerCount('error') > 0) res.req.emit('error', refusal);
}

const brokenBodies = new WeakMap<IncomingMessage, GatewayError>();

/** The error of a body whose framing broke before it was read; undefined if it did not break. */
export const brokenBefore = (req: IncomingMessage): GatewayError | undefined => brokenBodies.get(req);

/** The refusal for an `error` event of a body. */
export const brokenBy = (error: Error): GatewayError => (error instanceof GatewayError ? error : endedEarly());

/** The client disconnected before the end of a body. */
export const endedEarly = (): GatewayError => badRequest('The request body ended early.');

function endWith(socket: Socket, refusal: GatewayError): void {
  const requestId = newRequestId();
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

// Node has removed its own listener. Without one, a reset of the connection would end the process.
const takeErrorsOf = (socket: Socket) => socket.on('error', () => socket.destroy());

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'Not Found',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/**
 * Passes to the pipeline the requests that Node would answer by itself, or not at all: `CONNECT` is an unknown route.
 * `Expect: 100-continue` is granted when the body is first read. Any other `Expect` is ignored.
 *
 * - Symptom: Node closes the connection of a `CONNECT`, answers 417 to an unknown `Expect`, and grants `100-continue` before
 *   the key is checked, so that a refused key costs an upload.
 * - Upstream issue: none; these events are documented.
 * - Remove when: never, as long as the pipeline decides these cases.
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
