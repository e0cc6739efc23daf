export interface JsonResponse {
  readonly kind: 'json';
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A stream of server-sent events. Each frame is sent immediately, with a short pause before the next one. */
interface EventsResponse {
  readonly kind: 'events';
  /** Read one frame at a time. If the client disconnects, the iterator's `return` method is called. */
  readonly frames: Iterable<string>;
}

/** A file, image, sound or plain text. Its status is always 200. */
export interface BytesResponse {
  readonly kind: 'bytes';
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly disposition?: string;
}

export type SandboxResponse = JsonResponse | EventsResponse | BytesResponse;

export function jsonResponse(body: unknown): JsonResponse {
  return { kind: 'json', status: 200, body };
}
