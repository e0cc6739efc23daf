import { isIP } from 'node:net';
import { isDecodable, type SettingKind } from './setting-kinds.js';

const ALLOWED =
  'a URL that starts with http:// or https:// and has no path, with special characters of the password percent-encoded';

/** Like curl, accepts `proxy.example:3128` without a scheme. */
export const proxyUrl = (): SettingKind<string> => ({
  allowed: ALLOWED,
  schema: { type: 'string' },
  parse: (value) => {
    const url = URL.parse(value.includes('://') ? value : `http://${value}`);
    if (url === null || !['http:', 'https:'].includes(url.protocol) || !isDecodable(url.username, url.password))
      return undefined;
    return url.pathname === '/' && url.search === '' && url.hash === '' ? url.href.replace(/\/$/, '') : undefined;
  },
});

export const OFF = 'off';

export const proxyUrlOrOff = (): SettingKind<string> => ({
  allowed: `${ALLOWED}, or off`,
  schema: { type: 'string' },
  parse: (value) => (value === OFF ? OFF : proxyUrl().parse(value)),
});

const ENTRY =
  /^(\*|(\*?\.)?[A-Za-z0-9_-][A-Za-z0-9._-]*|(\d{1,3}(\.\d{1,3}){3}|\[?[0-9A-Fa-f]*:[0-9A-Fa-f:.]*\]?)(\/\d{1,3})?)(:\d{1,5})?$/;
const ENTRY_TEXT = ENTRY.source.slice(1, -1);

export const hostList = (): SettingKind<readonly string[]> => ({
  allowed:
    'a comma-separated list of host names, domains, IP addresses and CIDR ranges, each with an optional port, or *',
  schema: { type: 'string', pattern: `^[\\s,]*(${ENTRY_TEXT}([\\s,]+${ENTRY_TEXT})*[\\s,]*)?$` },
  parse: (value) => {
    const entries = value.split(/[\s,]+/).filter((entry) => entry !== '');
    return entries.every((entry) => ENTRY.test(entry) && hasValidRange(entry)) ? entries : undefined;
  },
});

const PORT_MAX = 65_535;
const PREFIX_MAX = { 0: -1, 4: 32, 6: 128 } as const;

function hasValidRange(entry: string): boolean {
  // An IPv6 address has no group of five digits.
  const [, port = '0'] = /:(\d{5})$/.exec(entry) ?? [];
  const [, address = '', prefix] = /^\[?([^\]/]*)\]?\/(\d+)/.exec(entry) ?? [];
  const isRange = prefix === undefined || Number(prefix) <= PREFIX_MAX[isIP(address) as 0 | 4 | 6];
  return Number(port) <= PORT_MAX && isRange;
}
