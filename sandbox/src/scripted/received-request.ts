import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request as the provider received it. */
export class ReceivedRequest {
  readonly method: string;
  /** With the query, byte for byte. */
  readonly path: string;
  /** Names and values in turn, in the case and order of the wire. */
  readonly headers: readonly string[];
  /** Whether the connection was lost before the response was complete. */
  aborted = false;
  /** Settles when `aborted` turns true. */
  readonly gone: Promise<void>;
  /** Settles when the connection was lost before the body was complete. */
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

  /** `POST /v1/files`, without the query. */
  get route(): string {
    return `${this.method} ${this.path.split('?')[0]}`;
  }

  /** The part of the body that was read so far. */
  get body(): Buffer {
    if (this.chunks.length > 1) this.chunks = [Buffer.concat(this.chunks)];
    return this.chunks[0] ?? Buffer.alloc(0);
  }

  /** The first value of a header, by its lower-case name. */
  header(name: string): string | undefined {
    const at = this.headers.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === name);
    return at === -1 ? undefined : this.headers[at + 1];
  }

  json(): Record<string, unknown> {
    return JSON.parse(this.body.toString()) as Record<string, unknown>;
  }

  /**
   * Reads the whole body into `body`. Never settles if the connection is lost before the end, since there is no one to answer then.
   * @param bytesMax the body is not kept if it is longer; the rest of it is read and discarded, so that a client in
   *   the middle of its upload sees the response instead of a broken pipe
   * @returns false for a body that is longer than `bytesMax`
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
