import { describe, expect, test } from '@jest/globals';
import { Config } from '../../../src/platform/config/config.js';
import { RequestContext } from '../../../src/platform/request-context/request-context.js';
import { AccessLog } from '../../../src/platform/telemetry/access-log.js';
import type { ProcessLog } from '../../../src/platform/telemetry/process-log.js';
import { redactor } from '../../../src/platform/telemetry/redact.js';

const API_KEY = `sk-gw-${'Ab3'.repeat(15)}wxyz`;

/** @param levelMin 30 is info, 40 is warn */
function linesOf(
  env: Record<string, string>,
  write: (log: AccessLog) => void,
  levelMin = 30,
): Record<string, unknown>[] {
  const lines: string[] = [];
  const log = { levelMin, writeLine: (line: string) => lines.push(line) } as unknown as ProcessLog;
  write(new AccessLog(Config.from(env), log));
  return lines.map((line) => {
    expect(line.endsWith('\n')).toBe(true);
    return JSON.parse(line) as Record<string, unknown>;
  });
}

const request = () => new RequestContext('01890000-0000-7000-8000-000000000000', 'POST');

describe('access log', () => {
  test('the access log has one JSON line per request, with the trace ID if there is one', () => {
    const traced = request();
    traced.trace = { traceId: 'f'.repeat(32) } as RequestContext['trace'];
    const [line, plain] = linesOf({}, (log) => [traced, request()].forEach((ctx) => log.write(ctx, 200, 12)));
    expect(line).toMatchObject({ request_id: traced.requestId, trace_id: 'f'.repeat(32), status: 200, latency_ms: 12 });
    expect(plain).not.toHaveProperty('trace_id');
  });

  test.each([
    ['0', 0, 0],
    ['0.3', 200, 400],
    ['1', 1000, 1000],
  ])('GW_ACCESS_LOG_RATE=%s keeps %i to %i of 1,000 lines and every 5xx', (rate, min, max) => {
    const lines = linesOf({ GW_ACCESS_LOG_RATE: rate }, (log) => {
      for (let nth = 0; nth < 1000; nth++) log.write(request(), 200, 1);
      for (let nth = 0; nth < 10; nth++) log.write(request(), 502, 1);
    });
    const served = lines.filter(({ status }) => status === 200).length;
    expect(served).toBeGreaterThanOrEqual(min);
    expect(served).toBeLessThanOrEqual(max);
    expect(lines.length - served).toBe(10);
  });

  test('5xx responses are logged as warnings, which LOG_LEVEL=warn keeps', () => {
    const both = (log: AccessLog) => [200, 502].forEach((status) => log.write(request(), status, 1));
    expect(linesOf({}, both).map(({ level, status }) => [level, status])).toEqual([
      [30, 200],
      [40, 502],
    ]);
    expect(linesOf({}, both, 40).map(({ status }) => status)).toEqual([502]);
    expect(linesOf({}, both, 50)).toEqual([]);
  });

  test('successful health probes are not logged', () => {
    const probe = request();
    probe.route = { kind: 'public' };
    const lines = linesOf({}, (log) => [200, 503].forEach((status) => log.write(probe, status, 1)));
    expect(lines.map(({ status }) => status)).toEqual([503]);
  });

  test('a key in the model field is redacted', () => {
    const ctx = request();
    ctx.model = API_KEY;
    const [line] = linesOf({}, (log) => log.write(ctx, 403, 1));
    expect(line!['model']).toBe('sk-gw-[redacted]');
  });
});

test('log lines contain no secrets from the settings and no API keys', () => {
  const secrets = {
    DATABASE_URL: 'postgres://gateway:pass%20word-of-db@db.example/gateway',
    GW_ADMIN_KEY: 'admin_gw_0123456789abcdef0123456789abcdef,admin_gw_fedcba9876543210fedcba9876543210',
    GW_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    GW_OWNER_PASSWORD: 'correct horse battery',
    GW_UPSTREAM_API_KEY: 'upstream-account',
    GW_UPSTREAM_MESSAGES_API_KEY: 'upstream-account-of-messages',
  };
  const redact = redactor(Config.from(secrets));
  const shown = redact(`Error: ${Object.values(secrets).join(' | ')} | ${API_KEY} | pass word-of-db`);
  expect(shown).toBe(
    'Error: postgres://gateway:[redacted]@db.example/gateway | [redacted],[redacted] | [redacted] | [redacted] | [redacted] | [redacted] | sk-gw-[redacted] | [redacted]'.replace(
      '[redacted],[redacted]',
      'admin_gw_[redacted],admin_gw_[redacted]',
    ),
  );
});

describe('redaction of secrets from the settings', () => {
  const logged = (env: Record<string, string>, text: string) => redactor(Config.from(env))(text);
  const database = (password: string) => ({ DATABASE_URL: `postgres://gateway:${password}@db.example/gateway` });

  test.each(['p', '1', 'gate', 'gateway'])('the log stays readable with the password %s', (password) => {
    const text = 'Stopping: the gateway accepts requests for another 1 s, and then aborts the rest';
    expect(logged(database(password), text)).toBe(text);
  });

  test.each(['p', 'gateway', 'a-long-password'])('the password %s in a URL is redacted', (password) => {
    const shown = logged(database(password), `cannot connect to postgres://gateway:${password}@db.example/gateway`);
    expect(shown).toBe('cannot connect to postgres://gateway:[redacted]@db.example/gateway');
  });

  test('the password in a URL that is not a setting is redacted', () => {
    expect(logged({}, 'redirect to https://user:x@example.com/a and http://user@b')).toBe(
      'redirect to https://user:[redacted]@example.com/a and http://user@b',
    );
  });

  test.each(['%s', 'x%sx', '%3A%s', 'is%sed', '"%s"', '%s%s'])(
    'a secret of eight characters cannot leave in the text %s',
    (text) => {
      for (const secret of ['hunter22', 'a"b\\c/d e', 'name:secret', 'redacted']) {
        const env = { GW_UPSTREAM_API_KEY: secret.replace(' ', '_'), GW_OWNER_PASSWORD: `${secret} and more` };
        const shown = logged(env, text.replaceAll('%s', env.GW_UPSTREAM_API_KEY));
        expect(shown.replaceAll('[redacted]', '')).not.toContain(env.GW_UPSTREAM_API_KEY);
        for (const spelling of [JSON.stringify(env.GW_OWNER_PASSWORD), encodeURIComponent(env.GW_OWNER_PASSWORD)])
          expect(logged(env, `${spelling} is wrong`)).toMatch(/^"?\[redacted\]"? is wrong$/);
      }
    },
  );

  test('the credential of a proxy is redacted in the form of a header', () => {
    const basic = Buffer.from('user:pass@word').toString('base64');
    expect(logged({ GW_EGRESS_PROXY: 'http://user:pass%40word@proxy:3128' }, `Basic ${basic}, pass%40word`)).toBe(
      'Basic [redacted], [redacted]',
    );
  });

  test.each([
    ['DATABASE_URL', database('hunter2').DATABASE_URL],
    ['GW_UPSTREAM_API_KEY', 'hunter2'],
    ['GW_EGRESS_PROXY', 'http://user:hunter2@proxy:3128'],
  ])('production rejects a %s that is too short to redact, without showing it', (name, value) => {
    const env = { NODE_ENV: 'production', [name]: value };
    expect(() => Config.from(env)).toThrow(
      `${name} ${value.includes(':') ? 'contains a password' : 'is a secret'} of fewer`,
    );
    expect(() => Config.from(env)).not.toThrow(/hunter2/);
  });
});
