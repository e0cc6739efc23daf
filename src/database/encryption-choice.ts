import type { SslMode } from '../config/database-url.js';

export interface Encryption {
  readonly encrypts: boolean;
  /** `refused` has switched to the other way, which has not been tried since. */
  readonly switched: boolean;
  /** @param error why the connection failed */
  refused(error: Error & { readonly code?: string }): void;
}

/** The way that a server accepts, by URL. A process uses one or two URLs. */
const accepted = new Map<string, boolean>();

/**
 * How the next connection of a URL is made. `prefer` starts with TLS and `allow` without. If the server refuses that, the process
 * switches to the other way until it is refused too. libpq would try both ways for each connection.
 */
export function encryptionOf(url: string, mode: SslMode): Encryption {
  if (mode !== 'prefer' && mode !== 'allow')
    return { encrypts: mode !== 'disable', switched: false, refused: () => undefined };
  const first = mode === 'prefer';
  const encrypts = accepted.get(url) ?? first;
  let switched = false;
  return {
    encrypts,
    get switched() {
      return switched;
    },
    refused(error) {
      if (!isRefusal(error, encrypts)) return;
      accepted.set(url, !encrypts);
      switched = encrypts === first;
    },
  };
}

const INVALID_AUTHORIZATION = '28000';

/** An outage is not a refusal: it must not turn encryption off. */
function isRefusal({ code = '', message }: Error & { readonly code?: string }, encrypts: boolean): boolean {
  if (code === INVALID_AUTHORIZATION) return true;
  return encrypts && (/does not support SSL/.test(message) || /^(ERR_SSL|ERR_TLS)|CERT|_SIGNATURE$/.test(code));
}
