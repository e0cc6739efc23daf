import type { IncomingMessage, ServerResponse } from 'node:http';

/** One request as the upstream saw it, its body read whole. */
export class ReceivedRequest {
  readonly method: string;
  /** With the query, byte for byte. */
  readonly path: string;
  /** Names and values in turn, in the case and order of the wire. */
  readonly headers: readonly string[];
  /** The connection was lost before the answer was complete. */
  aborted = false;
  /** Settles when `aborted` turns true. */
  readonly gone: Promise<void>;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    readonly body: Buffer,
  ) {
    this.method = request.method ?? '';
    this.path = request.url ?? '';
    this.headers = request.rawHeaders;
    this.gone = new Promise((resolve) =>
      response.on('close', () => {
        if (response.writableFinished) return;
        this.aborted = true;
        resolve();
      }),
    );
  }

  /** The first value of a header, by its lower-case name. */
  header(name: string): string | undefined {
    const at = this.headers.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === name);
    return at === -1 ? undefined : this.headers[at + 1];
  }

  json(): Record<string, unknown> {
    return JSON.parse(this.body.toString()) as Record<string, unknown>;
  }
}

/** Answers by writing to `response`; whatever it leaves open stays open. */
export type UpstreamHandler = (request: ReceivedRequest, response: ServerResponse) => void | Promise<void>;
