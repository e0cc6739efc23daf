import type { IncomingHttpHeaders } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';

interface DecoderEvents {
  onData(chunk: Buffer): void;
  onEnd(): void;
  /** Not what `encoding` says, or cut short. */
  onError(error: Error): void;
  /** After a `write` that answered false: room again. */
  onDrain(): void;
}

/** By which encoding a body has to be decoded, null: by none. What would not be true of it then is taken out of its headers. */
export function takeEncoding(status: number, headers: IncomingHttpHeaders): string | null {
  // Given twice it comes as a list, whatever the types say.
  const encoding = headers['content-encoding']?.toString().trim().toLowerCase();
  if (encoding === undefined || encoding === '' || encoding === 'identity') return null;
  delete headers['content-encoding'];
  delete headers['content-length'];
  // A refusal says enough without its message.
  return status >= 300 && !ContentDecoder.knows(encoding) ? null : encoding;
}

/**
 * Decodes an answer that came compressed although `identity` was asked for (D5). Events that the upstream flushed come
 * out at once. At most one piece of output waits inside, so a bomb costs no memory while its reader is slow.
 */
export class ContentDecoder {
  // Made at the first byte: of no bytes at all zlib makes an error, HTTP an empty answer.
  private stream: Transform | null = null;
  private paused = false;

  constructor(
    private readonly encoding: string,
    private readonly events: DecoderEvents,
  ) {}

  /** Whether `encoding`, a Content-Encoding value, is one that can be decoded. */
  static knows(encoding: string): boolean {
    return encoding in DECODERS;
  }

  get full(): boolean {
    return this.stream?.writableNeedDrain === true;
  }

  /** False: give no more until `onDrain`. */
  write(chunk: Buffer): boolean {
    this.stream ??= this.open(chunk[0] ?? 0);
    return this.stream.write(chunk);
  }

  end(): void {
    if (this.stream === null) this.events.onEnd();
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

  /** Nothing is heard of it any more. */
  destroy(): void {
    this.stream?.removeAllListeners('data').removeAllListeners('end').destroy();
  }

  private open(firstByte: number): Transform {
    const stream = (DECODERS[this.encoding] as (firstByte: number) => Transform)(firstByte);
    stream.on('data', (chunk: Buffer) => this.events.onData(chunk));
    stream.on('end', () => this.events.onEnd());
    stream.on('error', (error) => this.events.onError(error));
    stream.on('drain', () => {
      if (!this.paused) this.events.onDrain();
    });
    if (this.paused) stream.pause();
    return stream;
  }
}

const DECODERS: Readonly<Record<string, (firstByte: number) => Transform>> = Object.assign(
  Object.create(null) as Record<string, (firstByte: number) => Transform>,
  {
    gzip: () => createGunzip(),
    'x-gzip': () => createGunzip(),
    br: () => createBrotliDecompress(),
    zstd: () => createZstdDecompress(),
    // By the standard it has zlib's wrapping, whose first byte ends in 8; some servers leave that out.
    deflate: (firstByte: number) => ((firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw()),
  },
);
