export interface JsonAnswer {
  readonly kind: 'json';
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A stream of server-sent events: each frame is written at once, with a short pause before the next. */
interface EventsAnswer {
  readonly kind: 'events';
  /** Taken one at a time, and returned early when the client goes away. */
  readonly frames: Iterable<string>;
}

/** A file, an image, a sound or a plain text, always with status 200. */
export interface BytesAnswer {
  readonly kind: 'bytes';
  readonly contentType: string;
  readonly bytes: Buffer;
  /** The whole `content-disposition`, for what is to be saved as a file. */
  readonly disposition?: string;
}

export type SandboxAnswer = JsonAnswer | EventsAnswer | BytesAnswer;

export function jsonAnswer(body: unknown): JsonAnswer {
  return { kind: 'json', status: 200, body };
}
