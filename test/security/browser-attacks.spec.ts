import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { declaredRoutes } from '../../src/platform/routes/declared-routes.js';
import { TestGateway } from '../support/gateway.js';
import { callPlainly, cookieIn, createOperator, OperatorSession, signIn } from '../support/operator-session.js';
import { errorCodeIn } from '../support/responses.js';
import { Wire } from '../support/wire.js';

const PROJECT = join(import.meta.dirname, '../..');
const SCRIPT = `<img src=x onerror=alert(1)>"'</script><script>alert(2)</script>`;

let gateway: TestGateway;
let owner: OperatorSession;
beforeAll(async () => {
  gateway = await TestGateway.start();
  owner = await OperatorSession.of(gateway, 'owner');
});
afterAll(() => gateway.stop());

describe('a foreign page that uses the session of a visitor', () => {
  test('every route under /dashboard that changes something requires the CSRF token', async () => {
    const changing = declaredRoutes(gateway.app).filter(
      ({ spec, method }) => spec?.kind === 'dashboard' && spec.session === 'required' && method !== 'GET',
    );
    expect(changing.length).toBeGreaterThan(1);
    for (const { method, path } of changing)
      for (const body of [undefined, {}, 'a=b']) {
        const response = await callPlainly(gateway, method, path, { headers: { cookie: owner.cookie }, body });
        expect([path, errorCodeIn(response)]).toEqual([path, '403 forbidden']);
      }
    expect((await owner.call('GET', '/dashboard/session')).status).toBe(200);
  });

  test('a method override in a header or parameter does not turn a read into a change', async () => {
    const { id } = await gateway.createKey();
    for (const override of ['x-http-method-override', 'x-method-override', 'x-http-method'])
      for (const path of ['/dashboard/session', `/admin/api-keys/${id}`])
        expect(
          (await callPlainly(gateway, 'GET', path, { headers: { cookie: owner.cookie, [override]: 'DELETE' } })).status,
        ).toBe(200);
    const named = await callPlainly(gateway, 'GET', `/admin/api-keys/${id}?_method=DELETE`, {
      headers: { cookie: owner.cookie },
    });
    expect(errorCodeIn(named)).toBe('400 validation_error _method');
    expect((await owner.call('GET', '/dashboard/session')).status).toBe(200);
  });

  test('the CSRF token is accepted only in its header', async () => {
    const withToken = { cookie: `${owner.cookie}; x-csrf-token=${owner.csrfToken}` };
    for (const path of ['/admin/cache/purge', `/admin/cache/purge?x-csrf-token=${owner.csrfToken}`])
      expect(errorCodeIn(await callPlainly(gateway, 'POST', path, { headers: withToken }))).toBe('403 forbidden');
  });

  test('sign-in rejects the content types that a form can send', async () => {
    const { email } = await createOperator(gateway, 'viewer');
    const body = JSON.stringify({ email, password: 'Correct-horse-battery-9' });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const response = await callPlainly(gateway, 'POST', '/dashboard/session', {
        headers: { 'content-type': type },
        body,
      });
      expect([type, errorCodeIn(response), cookieIn(response)]).toEqual([type, '400 invalid_content_type', undefined]);
    }
  });
});

describe('the session cookie', () => {
  test('the session cookie is HttpOnly, Secure and SameSite=Lax, and has no domain', async () => {
    const { email } = await createOperator(gateway, 'viewer');
    const cookie = cookieIn(await signIn(gateway, email, 'Correct-horse-battery-9'))!;
    const [, ...attributes] = cookie.split('; ');
    expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=604800', 'Path=/', 'SameSite=Lax', 'Secure']);
  });

  test('a session cookie planted before sign-in is replaced and stays invalid', async () => {
    const { email } = await createOperator(gateway, 'viewer');
    const planted = `gw_admin_session=${'P'.repeat(43)}`;
    const cookie = cookieIn(await signIn(gateway, email, 'Correct-horse-battery-9', { cookie: planted }))!;
    expect(cookie.startsWith(planted)).toBe(false);
    const headers = { cookie: planted };
    expect((await callPlainly(gateway, 'GET', '/dashboard/session', { headers })).status).toBe(401);
  });
});

test('redirects of /dashboard stay below it, regardless of the target and the Host header', async () => {
  for (const target of [
    '/dashboard',
    '/dashboard?//evil.example',
    '/dashboard?next=https://evil.example',
    '/dash%62oard',
  ])
    for (const host of ['gateway', 'evil.example']) {
      const { status, headers } = await Wire.once(gateway.port, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      expect([target, status, headers.location]).toEqual([target, 308, expect.stringMatching(/^\/dashboard\//)]);
    }
  for (const target of [
    '//evil.example/dashboard',
    '/dashboard//evil.example',
    '/dashboard/\\evil.example',
    '/\\evil.example',
  ]) {
    const { headers } = await Wire.once(gateway.port, `GET ${target} HTTP/1.1\r\nHost: gateway\r\n\r\n`);
    expect([target, headers.location]).toEqual([target, undefined]);
  }
});

describe('responses to operators', () => {
  test('scripts in names, models and user agents are returned as JSON that browsers do not render', async () => {
    const key = await gateway.createKey({ name: SCRIPT });
    await gateway.admin('POST', '/admin/model-allowlist', { model: 'a<script>', enabled: true, note: SCRIPT });
    const { email } = await createOperator(gateway, 'viewer', { name: SCRIPT });
    await signIn(gateway, email, 'Correct-horse-battery-9', { 'user-agent': SCRIPT });
    const shown = [
      await owner.call('GET', `/admin/api-keys/${key.id}`),
      await owner.call('GET', '/admin/model-allowlist/a%3Cscript%3E'),
      await owner.call('GET', '/admin/operators'),
      await owner.call('GET', '/admin/sessions'),
      await owner.call('GET', `/admin/audit-logs?target_id=${key.id}`),
    ];
    for (const { status, headers, text } of shown) {
      expect([status, text.includes('onerror')]).toEqual([200, true]);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  test('an error that quotes the request is also JSON that browsers do not render', async () => {
    const { headers } = await owner.call('GET', `/admin/api-keys?${encodeURIComponent('<script>')}=1`);
    expect([headers.get('content-type'), headers.get('x-content-type-options')]).toEqual([
      'application/json; charset=utf-8',
      'nosniff',
    ]);
  });

  test('the API description and its page cannot be framed', async () => {
    for (const path of ['/docs', '/docs/', '/docs/swagger-ui-init.js', '/openapi.json']) {
      const { headers } = await gateway.call('GET', path);
      expect([path, headers.get('x-frame-options'), headers.get('x-content-type-options')]).toEqual([
        path,
        'DENY',
        'nosniff',
      ]);
    }
  });
});

describe('the source of the dashboard', () => {
  const files = readdirSync(join(PROJECT, 'dashboard/src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('schema.d.ts'))
    .map((name) => [name, readFileSync(join(PROJECT, 'dashboard/src', name), 'utf8')] as const);
  const findings = (pattern: RegExp) => files.flatMap(([name, text]) => (pattern.test(text) ? [name] : []));

  test('the dashboard turns no text into markup or code', () => {
    expect(files.length).toBeGreaterThan(50);
    const dangerous =
      /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcDoc|\beval\(|new Function|DOMParser|createContextualFragment/;
    expect(findings(dangerous)).toEqual([]);
  });

  test('the dashboard links only to addresses in its source, never to addresses from data', () => {
    expect(findings(/\b(href|src|formAction)=\{(?!`\/|'\/)/)).toEqual([]);
    expect(findings(/window\.open\(|location\.(href|assign|replace)\b\s*(=|\()|javascript:/)).toEqual([]);
  });

  test('the dashboard stores nothing in the browser except the color scheme', () => {
    expect(findings(/localStorage(?!ColorSchemeManager)|sessionStorage|indexedDB|document\.cookie/)).toEqual([]);
  });
});
