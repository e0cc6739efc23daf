import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { badRequest, headersTooLarge, requestTimeout, routeNotFound } from '../errors/error-factories.js';
import { GatewayError } from '../errors/gateway-error.js';
import { newRequestId } from '../request-context/request-id.js';

interface BrokenSocket extends Socket {
  /** Node's internal reference to the current response. */
  _httpMessage?: ServerResponse | null;
}

const ERRORS: Readonly<Record<string, () => GatewayError>> = {
  HPE_HEADER_OVERFLOW: headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: requestTimeout,
};

/** Requests whose client waits for `100 Continue`. `startContext` reads it. */
export const awaitingContinue = new WeakSet<IncomingMessage>();

const refused = new WeakSet<Socket>();

/**
 * Responds to malformed HTTP with the error envelope and a request ID: 400, 408 or 431 (D1).
 *
 * - Symptom: Node responds with a bare status line, without a body or a request ID, and closes the connection. It does so even
 *   while an earlier request is being served. Only `_httpMessage` leads to the response of that request.
 * - Upstream issue: https://github.com/nodejs/node/pull/34465 discusses it.
 * - Remove when: `clientError` passes the current response to its listener.
 */
export function respondToClientError(error: NodeJS.ErrnoException, socket: BrokenSocket): void {
  const before = socket._httpMessage ?? null;
  // These bytes belong to a request that has already been rejected.
  if (refused.has(socket) && error.code !== 'ECONNRESET') return;
  // The client has disconnected or a response has begun, so nothing can be sent.
  if (error.code === 'ECONNRESET' || !socket.writable || before?.headersSent === true) {
    socket.destroy();
    return;
  }
  const refusal = (
    ERRORS[error.code ?? ''] ??
    (() => badRequest('The request is not well-formed HTTP. Check the client and any proxy in between.'))
  )();
  refused.add(socket);
  destroyOnError(socket);
  if (before === null) endWith(socket, refusal);
  // The malformed bytes follow a complete request, whose response is sent first.
  else if (before.req.complete) before.once('finish', () => endWith(socket, refusal));
  else refuseBody(before, refusal);
}

function refuseBody(res: ServerResponse, refusal: GatewayError): void {
  res.shouldKeepAlive = false;
  brokenBodies.set(res.req, refusal);
  if (res.req.listenerCount('error') > 0) res.req.emit('error', refusal);
}

const brokenBodies = new WeakMap<IncomingMessage, GatewayError>();

/** The error of a body whose framing broke before it was read. */
export const brokenBefore = (req: IncomingMessage): GatewayError | undefined => brokenBodies.get(req);

export const brokenBy = (error: Error): GatewayError => (error instanceof GatewayError ? error : endedEarly());

export const endedEarly = (): GatewayError => badRequest('The request body ended early. Send the complete body.');

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
const destroyOnError = (socket: Socket) => socket.on('error', () => socket.destroy());

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'Not Found',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/**
 * Handles requests that Node would respond to itself or drop. `CONNECT` gets 404. `Expect: 100-continue` is granted when the body
 * is first read. Any other `Expect` is ignored.
 *
 * - Symptom: Node closes the connection of a `CONNECT` and returns 417 for an unknown `Expect`. It grants `100-continue` before
 *   the key is checked, so that even a rejected key costs an upload.
 * - Upstream issue: none; these events are documented.
 * - Remove when: never, as long as the pipeline decides these cases.
 */
export function overrideNodeDefaults(server: Server): void {
  server.on('connect', (_req: IncomingMessage, socket: Socket) => {
    destroyOnError(socket);
    endWith(socket, routeNotFound());
  });
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
    awaitingContinue.add(req);
    server.emit('request', req, res);
  });
  server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => server.emit('request', req, res));
}
