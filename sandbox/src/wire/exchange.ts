import type { IncomingHttpHeaders } from 'node:http';

import type { SandboxMemory } from '../memory/sandbox-memory.js';
import type { Fingerprint } from '../simulation/fingerprint.js';
import type { JsonAnswer, SandboxAnswer } from './answer.js';

/** A whole request whose key was checked. */
export interface SandboxRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Gives IDs and times to answers without a memory, in place of a clock and of chance. */
  readonly fingerprint: Fingerprint;
  readonly memory: SandboxMemory;
  /** Answers a request that is part of this one, e.g. a line of a batch. Errors are answers, too. */
  readonly ask: (path: string, body: unknown) => JsonAnswer;
}

/** A route is a function from request to answer that throws a `VendorError` to refuse. It never touches sockets. */
export interface SandboxRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly handle: (request: SandboxRequest) => SandboxAnswer;
  /** The route needs no key: URLs in answers lead to it. */
  readonly open?: true;
}
