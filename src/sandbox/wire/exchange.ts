import type { Fingerprint } from '../simulation/fingerprint.js';

/** A request as a route sees it: whole, with its key already asked for. */
export interface SandboxRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** What ids and times of the answer are made from, in place of a clock and of chance. */
  readonly fingerprint: Fingerprint;
}

export interface JsonAnswer {
  readonly kind: 'json';
  readonly status: number;
  readonly body: unknown;
}

/** A stream of server-sent events: each frame is written at once, with a short pause before the next. */
export interface EventsAnswer {
  readonly kind: 'events';
  /** Taken one at a time, and returned early when the client goes away. */
  readonly frames: Iterable<string>;
}

export type SandboxAnswer = JsonAnswer | EventsAnswer;

/** A route: a value from a value. The server alone touches sockets. Refuses by throwing a `VendorError`. */
export interface SandboxRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly handle: (request: SandboxRequest) => SandboxAnswer;
}
