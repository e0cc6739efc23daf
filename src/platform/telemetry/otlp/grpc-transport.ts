import { connect, constants, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ExportResponse, IExporterTransport } from '@opentelemetry/otlp-exporter-base';
import { openSocket, type OtlpConnection } from './otlp-connection.js';

const RETRY_INTERVAL_MS = 1_000;
const OK = '0';
/** Cancelled, deadline exceeded, aborted, out of range, unavailable and data loss, by the OTLP specification. */
const RETRYABLE = ['1', '4', '10', '11', '14', '15'];

const compressed = promisify(gzip);

/**
 * Sends OTLP messages as unary gRPC calls over one HTTP/2 connection. A closed connection is opened again. The collector's
 * response is not read except for its status. Errors contain no text from the collector, because it could echo a credential.
 */
export class GrpcTransport implements IExporterTransport {
  private session: ClientHttp2Session | null = null;
  private opening: Promise<ClientHttp2Session> | null = null;

  /** @param path `/{service}/{method}` */
  constructor(
    private readonly connection: OtlpConnection,
    private readonly path: string,
  ) {}

  async send(data: Uint8Array, timeoutMs: number): Promise<ExportResponse> {
    const deadlineMs = performance.now() + timeoutMs;
    const message = await this.framed(data);
    let response = await this.attempt(message, deadlineMs);
    while (response.status === 'retryable' && performance.now() + RETRY_INTERVAL_MS < deadlineMs) {
      await pause(RETRY_INTERVAL_MS);
      response = await this.attempt(message, deadlineMs);
    }
    return response;
  }

  shutdown(): void {
    this.session?.close();
    this.session = null;
  }

  private attempt(message: Buffer, deadlineMs: number): Promise<ExportResponse> {
    return this.call(message, deadlineMs).catch((error: unknown) => ({ status: 'retryable', error: error as Error }));
  }

  private async call(message: Buffer, deadlineMs: number): Promise<ExportResponse> {
    const session = await this.usable();
    // Opening a tunnel can have taken most of the time.
    const timeoutMs = Math.max(1, Math.round(deadlineMs - performance.now()));
    const stream = session.request({
      ...lowerCase(await this.connection.headers()),
      ':method': 'POST',
      ':path': this.path,
      'content-type': 'application/grpc+proto',
      'grpc-timeout': `${timeoutMs}m`,
      ...(this.connection.compression === 'gzip' ? { 'grpc-encoding': 'gzip' } : {}),
      te: 'trailers',
    });
    return new Promise((resolve) => {
      let seen: IncomingHttpHeaders = {};
      let failure = new Error('The collector closed the request');
      const late = setTimeout(() => {
        failure = new Error('The collector did not respond in time');
        // The connection itself can be dead, so the next attempt opens another one.
        session.destroy(failure);
      }, timeoutMs);
      const note = (headers: IncomingHttpHeaders) => (seen = { ...seen, ...headers });
      stream.on('response', note).on('trailers', note);
      stream.on('error', (error) => (failure = error));
      stream.on('close', () => {
        clearTimeout(late);
        resolve(responseOf(seen, failure));
      });
      stream.resume();
      stream.end(message);
    });
  }

  /** Concurrent exports share one connection. */
  private async usable(): Promise<ClientHttp2Session> {
    const { session } = this;
    if (session !== null && !session.closed && !session.destroyed) return session;
    return (this.opening ??= this.open().finally(() => (this.opening = null)));
  }

  private async open(): Promise<ClientHttp2Session> {
    const socket = await openSocket(this.connection);
    const opened = connect(new URL(this.connection.url).origin, { createConnection: () => socket });
    // An error also reaches the request, which reports it.
    opened.on('error', () => {}).on('goaway', () => opened.close());
    opened.unref();
    return (this.session = opened);
  }

  /** The prefix is a byte that is 1 for a compressed message, and four bytes with the length. */
  private async framed(data: Uint8Array): Promise<Buffer> {
    const isCompressed = this.connection.compression === 'gzip';
    const body = isCompressed ? await compressed(data) : data;
    const prefix = Buffer.alloc(5);
    prefix.writeUInt8(isCompressed ? 1 : 0);
    prefix.writeUInt32BE(body.length, 1);
    return Buffer.concat([prefix, body]);
  }
}

/** HTTP/2 rejects two spellings of one name. */
const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function responseOf(headers: IncomingHttpHeaders, failure: Error): ExportResponse {
  const httpStatus = headers[constants.HTTP2_HEADER_STATUS] as number | undefined;
  const status = headers['grpc-status'] as string | undefined;
  if (status === OK) return { status: 'success' };
  if (status !== undefined) {
    const error = new Error(`The collector rejected the export with gRPC status ${status.slice(0, 3)}`);
    return RETRYABLE.includes(status) ? { status: 'retryable', error } : { status: 'failure', error };
  }
  if (httpStatus === undefined) return { status: 'retryable', error: failure };
  const error = new Error(`The collector responded with HTTP status ${httpStatus} instead of a gRPC status`);
  return httpStatus === 429 || httpStatus >= 502 ? { status: 'retryable', error } : { status: 'failure', error };
}
