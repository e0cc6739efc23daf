import type { IncomingMessage, ServerResponse } from 'node:http';

export class ReceivedRequest {
  readonly method: string;
  /** Includes the query, byte for byte. */
  readonly path: string;
  /** Alternating names and values, in their original case and order. */
  readonly headers: readonly string[];
  /** The connection closed before the response was complete. */
  aborted = false;
  readonly gone: Promise<void>;
  /** Settles when the connection closes before the body is complete. */
  readonly cut: Promise<void>;
  private chunks: Buffer[] = [];

  constructor(
    readonly incoming: IncomingMessage,
    response: ServerResponse,
  ) {
    this.method = incoming.method ?? '';
    this.path = incoming.url ?? '';
    this.headers = incoming.rawHeaders;
    this.gone = new Promise((resolve) =>
      response.on('close', () => {
        if (response.writableFinished) return;
        this.aborted = true;
        resolve();
      }),
    );
    this.cut = new Promise((resolve) => incoming.on('close', () => (incoming.complete ? undefined : resolve())));
    incoming.on('error', () => undefined);
  }

  /** The method, and the path without the query, for example `POST /v1/files`. */
  get route(): string {
    return `${this.method} ${this.path.split('?')[0]}`;
  }

  get body(): Buffer {
    if (this.chunks.length > 1) this.chunks = [Buffer.concat(this.chunks)];
    return this.chunks[0] ?? Buffer.alloc(0);
  }

  header(name: string): string | undefined {
    const at = this.headers.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === name);
    return at === -1 ? undefined : this.headers[at + 1];
  }

  json(): Record<string, unknown> {
    return JSON.parse(this.body.toString()) as Record<string, unknown>;
  }

  /**
   * Reads the whole body into `body`. The promise never settles if the connection closes earlier.
   *
   * @param bytesMax a longer body is read and discarded, so that an uploading client sees the response instead of a
   *   broken pipe
   * @returns false for a body longer than `bytesMax`
   */
  read(bytesMax = Infinity): Promise<boolean> {
    if (Number(this.incoming.headers['content-length'] ?? 0) > bytesMax) return Promise.resolve(false);
    return new Promise((resolve) => {
      let bytes = 0;
      this.incoming.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= bytesMax) return void this.chunks.push(chunk);
        this.chunks = [];
        resolve(false);
      });
      this.incoming.on('end', () => resolve(true));
    });
  }
}
