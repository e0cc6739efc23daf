import type { SslMode } from '../config/database-url.js';

export interface Encryption {
  readonly encrypts: boolean;
  /** True after `refused` has switched to the alternative (TLS or plaintext), until that has been tried. */
  readonly switched: boolean;
  /** @param error why the connection failed */
  refused(error: Error & { readonly code?: string }): void;
}

/** Whether a server accepts TLS or plaintext, by URL. A process uses one or two URLs. */
const accepted = new Map<string, boolean>();

/**
 * Decides whether the next connection to a URL is encrypted. `prefer` starts with TLS, and `allow` without. If the server refuses,
 * the process uses the alternative until that is refused too. libpq would try both for each connection.
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

/** Whether the server refused the connection. An outage is not a refusal, because it must not turn encryption off. */
function isRefusal({ code = '', message }: Error & { readonly code?: string }, encrypts: boolean): boolean {
  if (code === INVALID_AUTHORIZATION) return true;
  return encrypts && (/does not support SSL/.test(message) || /^(ERR_SSL|ERR_TLS)|CERT|_SIGNATURE$/.test(code));
}
