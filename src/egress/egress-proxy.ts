import type { Config } from '../config/config.js';
import { OFF } from '../config/egress-proxy.kinds.js';
import { decoded } from '../config/secret-texts.rules.js';
import { bypasses, isLoopback } from './no-proxy.rules.js';
import { targetOf, type Target } from './target.js';

type Settings = Pick<Config, 'egressProxy' | 'httpsProxy' | 'httpProxy' | 'noProxy'>;

export interface EgressProxy extends Target {
  /** The variable that sets it */
  readonly setting: 'GW_EGRESS_PROXY' | 'HTTPS_PROXY' | 'HTTP_PROXY';
  readonly secure: boolean;
  /** Value of `Proxy-Authorization`, or null. Nothing except a request to the proxy must contain it. */
  readonly authorization: string | null;
}

/**
 * Returns the proxy for a URL, or null for a direct connection. `GW_EGRESS_PROXY` replaces `HTTPS_PROXY` and `HTTP_PROXY`. Hosts
 * in `NO_PROXY` and loopback addresses are connected directly.
 */
export function proxyFor({ egressProxy, httpsProxy, httpProxy, noProxy }: Settings, url: URL): EgressProxy | null {
  if (egressProxy === OFF) return null;
  const secure = url.protocol === 'https:';
  const proxy = egressProxy ?? (secure ? httpsProxy : httpProxy);
  if (proxy === null) return null;
  const target = targetOf(url);
  if (isLoopback(target.host) || bypasses(noProxy, target)) return null;
  return parsed(new URL(proxy), egressProxy === null ? (secure ? 'HTTPS_PROXY' : 'HTTP_PROXY') : 'GW_EGRESS_PROXY');
}

function parsed(url: URL, setting: EgressProxy['setting']): EgressProxy {
  const credential = `${decoded(url.username)}:${decoded(url.password)}`;
  return {
    ...targetOf(url),
    setting,
    secure: url.protocol === 'https:',
    authorization: credential === ':' ? null : `Basic ${Buffer.from(credential).toString('base64')}`,
  };
}
