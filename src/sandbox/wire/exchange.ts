import type { IncomingHttpHeaders } from 'node:http';

import type { SandboxMemory } from '../memory/sandbox-memory.js';
import type { Fingerprint } from '../simulation/fingerprint.js';
import type { SandboxAnswer } from './answer.js';

/** A request as a route sees it: whole, with its key already asked for. */
export interface SandboxRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** What ids and times of an answer without a memory are made from, in place of a clock and of chance. */
  readonly fingerprint: Fingerprint;
  readonly memory: SandboxMemory;
}

/** A route: a value from a value. The server alone touches sockets. Refuses by throwing a `VendorError`. */
export interface SandboxRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly handle: (request: SandboxRequest) => SandboxAnswer;
  /** Asks for no key: what a URL in an answer leads to. */
  readonly open?: true;
}
