import type { IncomingHttpHeaders } from 'node:http';
import type { Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';

export interface DecoderEvents {
  onDecoded(chunk: Buffer): void;
  onDecodedEnd(): void;
  onDecodingFailed(error: Error): void;
  /** Called after `write` has returned false. */
  onDecoderDrain(): void;
}

/** Returns the encoding to decode, or null. Deletes the headers that do not apply to the decoded body. */
export function takeEncoding(status: number, headers: IncomingHttpHeaders): string | null {
  // A repeated header is an array, although its type is string.
  const encoding = headers['content-encoding']?.toString().trim().toLowerCase();
  if (encoding === undefined || encoding === '' || encoding === 'identity') return null;
  delete headers['content-encoding'];
  delete headers['content-length'];
  // An error response is useful even if its message cannot be decoded.
  return status >= 300 && !ContentDecoder.knows(encoding) ? null : encoding;
}

/**
 * Decodes a response that is compressed although the gateway requested `identity` (D5). Flushed events are emitted
 * immediately. At most one chunk is buffered, so a decompression bomb costs no memory while its reader is slow.
 */
export class ContentDecoder {
  // Created at the first byte, because zlib reports an error for an empty body.
  private stream: Transform | null = null;
  private paused = false;

  constructor(
    private readonly encoding: string,
    private readonly events: DecoderEvents,
  ) {}

  /** Whether the encoding can be decoded. */
  static knows(encoding: string): boolean {
    return encoding in DECODERS;
  }

  /** The caller must wait for `onDecoderDrain` before it writes. */
  get full(): boolean {
    return this.stream?.writableNeedDrain === true;
  }

  /** Returns false if the caller must wait for `onDecoderDrain`. */
  write(chunk: Buffer): boolean {
    this.stream ??= this.open(chunk[0] ?? 0);
    return this.stream.write(chunk);
  }

  /** Call it after the last chunk. `onDecodedEnd` follows when everything is decoded. */
  end(): void {
    if (this.stream === null) this.events.onDecodedEnd();
    else this.stream.end();
  }

  pause(): void {
    this.paused = true;
    this.stream?.pause();
  }

  resume(): void {
    this.paused = false;
    this.stream?.resume();
  }

  /** No `onDecoded` or `onDecodedEnd` follows. */
  destroy(): void {
    this.stream?.removeAllListeners('data').removeAllListeners('end').destroy();
  }

  private open(firstByte: number): Transform {
    const stream = (DECODERS[this.encoding] as (firstByte: number) => Transform)(firstByte);
    stream.on('data', (chunk: Buffer) => this.events.onDecoded(chunk));
    stream.on('end', () => this.events.onDecodedEnd());
    stream.on('error', (error) => this.events.onDecodingFailed(error));
    stream.on('drain', () => {
      if (!this.paused) this.events.onDecoderDrain();
    });
    if (this.paused) stream.pause();
    return stream;
  }
}

/** 8 MiB, as RFC 9659 requires. By default, a response of 4 KiB could hold 128 MiB. */
const ZSTD_WINDOW_LOG_MAX = 23;

const DECODERS: Readonly<Record<string, (firstByte: number) => Transform>> = Object.assign(
  Object.create(null) as Record<string, (firstByte: number) => Transform>,
  {
    gzip: () => createGunzip(),
    'x-gzip': () => createGunzip(),
    br: () => createBrotliDecompress(),
    zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG_MAX } }),
    // The standard requires the zlib wrapper, whose first byte ends in 8, but some servers omit it.
    deflate: (firstByte: number) => ((firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw()),
  },
);
