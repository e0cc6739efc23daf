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

const rejected = new WeakSet<Socket>();

/**
 * Responds to malformed HTTP with the error envelope and a request ID: 400, 408 or 431 (D1).
 *
 * - Symptom: Node responds with a bare status line, without a body or a request ID, and closes the connection. It does so even
 *   while an earlier request is being served, and only its internal `_httpMessage` leads to the response of that request.
 * - Issue: https://github.com/nodejs/node/pull/34465
 * - Benefit: the earlier response is complete, and every rejection has the documented form.
 * - Version test: `node-protocol-errors.spec.ts`
 */
export function respondToClientError(error: NodeJS.ErrnoException, socket: BrokenSocket): void {
  const before = socket._httpMessage ?? null;
  // These bytes belong to a request that has already been rejected.
  if (rejected.has(socket) && error.code !== 'ECONNRESET') return;
  // The client has disconnected or a response has begun, so nothing can be sent.
  if (error.code === 'ECONNRESET' || !socket.writable || before?.headersSent === true) {
    socket.destroy();
    return;
  }
  const rejection = (
    ERRORS[error.code ?? ''] ??
    (() => badRequest('The request is not well-formed HTTP. Check the client and any proxy in between.'))
  )();
  rejected.add(socket);
  destroyOnError(socket);
  if (before === null) endWith(socket, rejection);
  // The malformed bytes follow a complete request, whose response is sent first.
  else if (before.req.complete) before.once('finish', () => endWith(socket, rejection));
  else rejectBody(before, rejection);
}

function rejectBody(res: ServerResponse, rejection: GatewayError): void {
  res.shouldKeepAlive = false;
  brokenBodies.set(res.req, rejection);
  if (res.req.listenerCount('error') > 0) res.req.emit('error', rejection);
}

const brokenBodies = new WeakMap<IncomingMessage, GatewayError>();

/** The error of a body whose framing broke before it was read. */
export const brokenBefore = (req: IncomingMessage): GatewayError | undefined => brokenBodies.get(req);

export const brokenBy = (error: Error): GatewayError => (error instanceof GatewayError ? error : endedEarly());

export const endedEarly = (): GatewayError => badRequest('The request body ended early. Send the complete body.');

function endWith(socket: Socket, rejection: GatewayError): void {
  const requestId = newRequestId();
  const body = rejection.envelope(requestId);
  const head = [
    `HTTP/1.1 ${rejection.status} ${STATUS_TEXTS[rejection.status] ?? ''}`,
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
 * Handles requests that Node would respond to itself or drop. `CONNECT` returns 404. `Expect: 100-continue` is granted when the body
 * is first read. Any other `Expect` is ignored.
 *
 * - Symptom: Node closes the connection of a `CONNECT` and returns 417 for an unknown `Expect`. It grants `100-continue` before
 *   the key is checked.
 * - Issue: not reported, because Node documents these events for this purpose
 * - Benefit: a client with a rejected key does not upload its body.
 * - Version test: `node-protocol-errors.spec.ts`
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
