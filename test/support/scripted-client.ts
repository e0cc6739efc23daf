import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { GatewayError } from '../../src/platform/errors/gateway-error.js';
import type { RequestContext } from '../../src/platform/request-context/request-context.js';

export interface ClientView {
  /** null if the connection was closed before the response headers. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly complete: boolean;
  readonly ctx: RequestContext;
}

/** A client whose connection is memory. It reads everything at once. */
export class ScriptedClient {
  readonly res: ServerResponse;
  private readonly received: Buffer[] = [];

  constructor(method: string, path: string) {
    const socket = new Duplex({
      read: () => undefined,
      write: (chunk: Buffer, _encoding, done) => {
        this.received.push(chunk);
        done();
      },
      decodeStrings: true,
    }) as unknown as Socket;
    const req = new IncomingMessage(socket);
    req.method = method;
    req.url = path;
    req.httpVersionMajor = req.httpVersionMinor = 1;
    req.complete = true;
    this.res = new ServerResponse(req);
    this.res.assignSocket(socket);
    // `http.Server` does the same.
    this.res.once('finish', () => process.nextTick(() => this.res.emit('close')));
    socket.on('drain', () => this.res.emit('drain'));
    socket.once('close', () => this.res.emit('close'));
  }

  get isOver(): boolean {
    return this.res.writableFinished || this.res.destroyed;
  }

  disconnect(): void {
    this.res.socket!.destroy();
  }

  get reply(): FastifyReply {
    return { raw: this.res, hijack: () => undefined } as unknown as FastifyReply;
  }

  /** Rejects the request as `ErrorEnvelopeFilter` does. */
  reject(error: unknown, ctx: RequestContext): void {
    if (!(error instanceof GatewayError)) throw error;
    ctx.response.errorCode = error.code;
    ctx.response.errorMessage = error.message;
    if (this.res.headersSent || this.res.destroyed) return void this.res.destroy();
    const body = error.envelope(ctx.requestId);
    const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
    this.res.writeHead(error.status, { ...headers, ...error.headers });
    this.res.end(ctx.method === 'HEAD' ? undefined : body);
  }

  view(ctx: RequestContext): ClientView {
    const { res } = this;
    const bytes = Buffer.concat(this.received);
    const end = bytes.indexOf('\r\n\r\n');
    const complete = res.writableEnded && !res.destroyed;
    if (end === -1) return { status: null, headers: {}, body: Buffer.alloc(0), complete, ctx };
    const [line, ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((text) => [text.slice(0, text.indexOf(':')).toLowerCase(), text.slice(text.indexOf(':') + 2)]),
    );
    const rest = bytes.subarray(end + 4);
    const body = headers['transfer-encoding'] === 'chunked' ? dechunked(rest) : rest;
    return { status: Number(line!.split(' ')[1]), headers, body, complete, ctx };
  }
}

function dechunked(bytes: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const line = bytes.indexOf('\r\n', at);
    const length = line === -1 ? 0 : Number.parseInt(bytes.toString('latin1', at, line), 16);
    if (!(length > 0)) break;
    pieces.push(bytes.subarray(line + 2, line + 2 + length));
    at = line + 2 + length + 2;
  }
  return Buffer.concat(pieces);
}
