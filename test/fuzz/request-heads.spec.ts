import { isIP } from 'node:net';
import { describe } from '@jest/globals';
import { bareKeyOf, bearerOf } from '../../src/auth/bearer-token.js';
import { sessionCookieOf } from '../../src/auth/session-cookie.js';
import { judgeSignInOrigin } from '../../src/auth/csrf.js';
import { urlProblem } from '../../src/audit/events/webhook-target.rules.js';
import { isGlobalUnicast } from '../../src/audit/events/public-address.rules.js';
import { generateKey, parseKey } from '../../src/keys/key-format.js';
import { canonicalId } from '../../src/model-policy/registry/canonical-id.js';
import { isPathId } from '../../src/platform/routes/path-id.rules.js';
import { parseTraceParent } from '../../src/platform/telemetry/tracing/trace-parent.rules.js';
import { stripCredentialParameters } from '../../src/upstream/query-string.js';
import { upstreamRequestHeaders } from '../../src/upstream/request-headers.js';
import { parseTimestamp } from '../../src/platform/validation/timestamp.js';
import { fuzz, must } from './fuzz.js';
import { mutateText } from './mutate.js';

describe('credentials', () => {
  const KEYS = Array.from({ length: 20 }, generateKey);
  fuzz({
    holds: 'a mutated key fails its checksum',
    share: 0.08,
    make: (dice) => {
      const key = dice.pick(KEYS);
      return { key, given: mutateText(dice, key) };
    },
    check: ({ key, given }) => {
      const parsed = parseKey(given);
      must(parsed === null || given === key, `${given} is accepted as a key`);
    },
  });

  const HEADERS = [`Bearer ${KEYS[0]!}`, `bearer\t${KEYS[1]!}`, 'Basic dXNlcjpwYXNz', KEYS[2]!, ''];
  fuzz({
    holds: 'a credential header contains one token without spaces, or is malformed or missing',
    share: 0.04,
    make: (dice) => mutateText(dice, dice.pick(HEADERS)),
    check: (header) => {
      for (const read of [bearerOf(header), bareKeyOf(header)])
        must(
          read.kind !== 'token' || (read.token !== '' && read.token === read.token.trim()),
          'an empty or padded token',
        );
      const bearer = bearerOf(header);
      must(bearer.kind !== 'token' || !/\s/.test(bearer.token), 'a token with spaces');
    },
  });

  const COOKIES = [
    'gw_admin_session=abc',
    'a=b; gw_admin_session=abc; c=d',
    'gw_admin_session="x"',
    'gw_admin_session=a; gw_admin_session=b',
    '__Host-gw_admin_session=a; gw_admin_session=b',
  ];
  fuzz({
    holds: 'a session cookie has at most one value, and the value is valid in a cookie',
    share: 0.02,
    make: (dice) => mutateText(dice, dice.pick(COOKIES)),
    check: (cookie) => {
      const found = sessionCookieOf({ headers: { cookie }, host: 'localhost', protocol: 'http' });
      must(/^[\x21-\x7e]{1,200}$/.test(found?.token ?? 'none'), 'an invalid cookie value');
    },
  });
});

describe('request targets', () => {
  const TARGETS = [
    '/v1/files?limit=1&api_key=x&after=y',
    '/v1/models?%61pikey=1&Key=2&token&x=%zz&=&&',
    '/v1/files?a=b?password=c&pwd=d#e',
    '/v1/files?authorization=Bearer%20x',
  ];
  const CREDENTIAL =
    /^(api[_-]?key|key|token|access_token|auth|authorization|secret|client_secret|password|passwd|pwd)$/i;
  fuzz({
    holds: 'only parameters that contain a credential are removed from a target',
    share: 0.08,
    make: (dice) => mutateText(dice, dice.pick(TARGETS)),
    check: (target) => {
      const stripped = stripCredentialParameters(target);
      must(stripCredentialParameters(stripped) === stripped, 'a second pass removes more');
      const at = target.indexOf('?');
      if (at === -1) return must(stripped === target, 'changed without a query');
      const kept = target
        .slice(at + 1)
        .split('&')
        .filter((parameter) => !CREDENTIAL.test(plain(parameter.split('=')[0]!)));
      const path = target.slice(0, at);
      const expected = kept.length === 0 ? path : `${path}?${kept.join('&')}`;
      must(stripped === expected, `${stripped} is not ${expected}`);
    },
  });
  const plain = (name: string): string =>
    name.replace(/%([0-9a-f]{2})/gi, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

  fuzz({
    holds: 'an accepted path ID stays within its path segment',
    share: 0.02,
    make: (dice) => mutateText(dice, dice.pick(['file-abc123', '..', 'a:b', 'x'.repeat(199)])),
    check: (id) => must(!isPathId(id) || (new URL(`http://x/${id}/y`).pathname === `/${id}/y` && id.length <= 200), id),
  });
});

describe('client headers', () => {
  const NAMES = [
    'accept',
    'content-type',
    'openai-beta',
    'anthropic-beta',
    'anthropic-version',
    'idempotency-key',
    'user-agent',
    'traceparent',
    'authorization',
    'x-api-key',
    'cookie',
    'host',
    'connection',
    'transfer-encoding',
    'expect',
    'accept-encoding',
    '__proto__',
  ];
  fuzz({
    holds: 'only allowed headers are forwarded, with valid values and the account’s credential',
    share: 0.04,
    make: (dice) =>
      Object.fromEntries(
        Array.from({ length: dice.int(8) }, () => [dice.pick(NAMES), mutateText(dice, 'value, of 1')]),
      ),
    check: (incoming) => {
      const api = 'openai-beta' in incoming ? 'anthropic' : 'openai';
      const flat = upstreamRequestHeaders(incoming, { accountHeaders: ['authorization', 'Bearer ours'], api });
      const names = flat.filter((_, at) => at % 2 === 0);
      must(new Set(names).size === names.length, 'a repeated header');
      must(flat[flat.indexOf('authorization') + 1] === 'Bearer ours', 'a different credential');
      must(!names.some((name) => /cookie|^host|connection|transfer|expect|x-api-key|proto/.test(name)), names.join());
      must(flat[flat.indexOf('accept-encoding') + 1] === 'identity', 'a different encoding');
      for (let at = 1; at < flat.length; at += 2) must(/^[\t\x20-\x7e\x80-\xff]*$/.test(flat[at]!), 'cannot be sent');
    },
  });

  fuzz({
    holds: 'trace, origin and host headers are parsed or treated as invalid',
    share: 0.02,
    make: (dice) => ({
      trace: mutateText(dice, '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'),
      origin: mutateText(
        dice,
        dice.pick(['https://gateway.example', 'http://localhost:8080', 'null', 'https://[::1]:1']),
      ),
      host: mutateText(dice, 'gateway.example'),
    }),
    check: ({ trace, origin, host }) => {
      const parent = parseTraceParent(trace);
      must(parent === null || (/^[0-9a-f]{32}$/.test(parent.traceId) && parent.flags <= 255), 'an invalid trace');
      const judged = judgeSignInOrigin(origin, host);
      must(['own', 'foreign', 'insecure'].includes(judged), judged);
      if (judged === 'own') must(new URL(origin).host === new URL(`${new URL(origin).protocol}//${host}`).host, 'own');
    },
  });
});

describe('timestamps, webhook URLs and model names', () => {
  fuzz({
    holds: 'a timestamp is parsed into a valid time or rejected',
    share: 0.03,
    make: (dice) =>
      mutateText(
        dice,
        dice.pick(['2026-01-31', '2026-01-31T12:00:00Z', '2026-01-31T12:00:00.123456789+02:00', '0001-01-01T00:00']),
      ),
    check: (text) => {
      const ms = parseTimestamp(text);
      must(ms === null || (Number.isInteger(ms) && !Number.isNaN(new Date(ms).getTime())), `${ms}`);
    },
  });

  fuzz({
    holds: 'an accepted webhook URL uses HTTP or HTTPS, has no user, and its address is public',
    share: 0.02,
    make: (dice) =>
      mutateText(
        dice,
        dice.pick([
          'https://hooks.example.com/x?y=z',
          'http://93.184.216.34/',
          'http://0x7f.1/',
          'https://[2606:2800::1]/',
          'http://127.0.0.1:80',
        ]),
      ),
    check: (url) => {
      if (urlProblem(url, false) !== null) return;
      const { protocol, username, password, hostname } = new URL(url);
      must(/^https?:$/.test(protocol) && username === '' && password === '', 'an unexpected URL');
      const host = hostname.replace(/^\[|\]$/g, '');
      must(isIP(host) === 0 || isGlobalUnicast(host), `${host} is not public`);
    },
  });

  fuzz({
    holds: 'any model name is looked up in bounded time',
    share: 0.01,
    make: (dice) =>
      mutateText(
        dice,
        dice.pick(['gpt-4o-2024-08-06', 'meta-llama/llama-3.3-70b-instruct', 'openai/gpt-4o:free', 'ft:gpt-4o:x::y']),
      ),
    check: (id) => void canonicalId(id),
  });
});
