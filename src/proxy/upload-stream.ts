import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { requestTimeout, requestTooLarge } from '../platform/errors/error-factories.js';
import type { GatewayError } from '../platform/errors/gateway-error.js';
import { BodyDeadline, type BodyPace } from './pipeline/body/read-body.js';
import { discardUnreadBody } from '../platform/patches/node-unread-body.js';
import { brokenBefore, brokenBy, endedEarly } from '../platform/patches/node-protocol-errors.js';
import { stoppedReading } from '../upstream/upstream-failure.js';

const BUFFER_BYTES = 64 * 1024;

interface UploadBounds {
  /** A larger body is rejected with 413. Bytes are counted as they arrive, because a client need not announce the length. */
  readonly bytesMax: number;
  /** A slower client receives 408. The time that the upstream does not read does not count. */
  readonly pace: BodyPace;
  /** The time until the upstream reads more (502). */
  readonly upstreamIdleMs: number;
}

interface UploadEvents {
  /** Emitted before the first byte is read. The upstream connection exists by then. */
  begin: [];
  /** Emitted once if the body cannot be read completely. */
  failed: [error: GatewayError];
}

/**
 * Streams a request body no faster than the upstream reads, with about `BUFFER_BYTES` in memory. It listens to `data` events,
 * because a failed pipe would destroy the client's connection, so that no response could be sent. Emits {@link UploadEvents}.
 */
export class UploadStream extends Readable {
  /** True once a byte of the body might have been read. */
  begun = false;
  private stopped = false;
  private bytes = 0;
  private readonly clientDeadline: BodyDeadline;
  private upstreamTimer: NodeJS.Timeout | undefined;
  private readonly onData: (chunk: Buffer) => void;
  private readonly onEnd: () => void;
  private readonly onClose: () => void;
  private readonly onError: (error: Error) => void;

  constructor(
    private readonly req: IncomingMessage,
    private readonly bounds: UploadBounds,
  ) {
    super({ highWaterMark: BUFFER_BYTES });
    this.clientDeadline = new BodyDeadline(bounds.pace, () => this.fail(requestTimeout()));
    const onData = (chunk: Buffer): void => this.receive(chunk);
    const onEnd = (): void => this.endBody();
    const onClose = (): void => this.endEarly();
    const onError = (error: Error): void => this.fail(brokenBy(error));
    this.onData = onData;
    this.onEnd = onEnd;
    this.onClose = onClose;
    this.onError = onError;
    // A lost upstream connection destroys this stream with an error, which `UpstreamSink.onError` also reports.
    this.on('error', () => {}).once('end', () => this.stop());
  }

  override _read(): void {
    if (this.stopped) return;
    clearTimeout(this.upstreamTimer);
    this.clientDeadline.resume();
    if (this.begun) this.req.resume();
    else this.begin();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.stop();
    done(error);
  }

  /** The rest of the request stays unread. */
  stop(): void {
    if (this.stopped) return;
    this.stopped = true;
    clearTimeout(this.upstreamTimer);
    this.clientDeadline.pause();
    const { req } = this;
    req.off('data', this.onData).off('end', this.onEnd).off('close', this.onClose).off('error', this.onError);
    if (this.begun) req.pause();
  }

  /** Reads the rest of the body after a complete response, so that the connection can serve another request. */
  discardRest(): void {
    this.stop();
    discardUnreadBody(this.req, null, Infinity);
  }

  private begin(): void {
    const broken = brokenBefore(this.req);
    if (broken !== undefined) return this.fail(broken);
    this.begun = true;
    this.emit('begin' satisfies keyof UploadEvents);
    this.req.on('data', this.onData).on('end', this.onEnd).on('close', this.onClose).on('error', this.onError);
  }

  private receive(chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.bytes > this.bounds.bytesMax) return this.fail(requestTooLarge(this.bounds.bytesMax));
    this.clientDeadline.received(chunk.length);
    if (this.push(chunk)) return;
    this.req.pause();
    this.waitForUpstream();
  }

  private endBody(): void {
    this.waitForUpstream();
    this.push(null);
  }

  private endEarly(): void {
    if (!this.req.complete) this.fail(endedEarly());
  }

  private waitForUpstream(): void {
    this.clientDeadline.pause();
    clearTimeout(this.upstreamTimer);
    this.upstreamTimer = setTimeout(() => this.fail(stoppedReading()), this.bounds.upstreamIdleMs);
  }

  private fail(error: GatewayError): void {
    if (this.stopped) return;
    this.stop();
    this.emit('failed' satisfies keyof UploadEvents, error);
  }
}
