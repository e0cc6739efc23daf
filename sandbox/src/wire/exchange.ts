import type { IncomingHttpHeaders } from 'node:http';

import type { SandboxMemory } from '../memory/sandbox-memory.js';
import type { Fingerprint } from '../simulation/fingerprint.js';
import type { JsonResponse, SandboxResponse } from './response.js';

export interface SandboxRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Provides deterministic IDs and times for responses that are not stored. */
  readonly fingerprint: Fingerprint;
  readonly memory: SandboxMemory;
  /** Answers a request inside this one, such as a line of a batch. Errors are returned, not thrown. */
  readonly ask: (path: string, body: unknown) => JsonResponse;
}

/** A route maps a request to a response and rejects it by throwing a `VendorError`. It never touches sockets. */
export interface SandboxRoute {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly handle: (request: SandboxRequest) => SandboxResponse;
  /** The route needs no API key, because clients open its URL from a response. */
  readonly open?: true;
}
