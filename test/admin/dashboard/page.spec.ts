import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as send, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PageService } from '../../../src/admin/dashboard/page/page.service.js';
import { TestGateway } from '../../support/gateway.js';

const NONCE_MARK = '__CSP_NONCE__';
const INDEX = `<!doctype html><meta property="csp-nonce" nonce="${NONCE_MARK}"><script src="/dashboard/assets/index-1.js" nonce="${NONCE_MARK}"></script>`;
const SCRIPT = 'export const words = "again and again, so that it can be pressed";\n'.repeat(50);
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let gateway: TestGateway;
let folder: string;
let unbuilt: Response;
beforeAll(async () => {
  gateway = await TestGateway.start();
  folder = mkdtempSync(join(tmpdir(), 'page-'));
  gateway.app.get(PageService).folder = join(folder, 'dashboard/');
  unbuilt = await call('/dashboard/', BROWSER);
  build();
});
afterAll(async () => {
  await gateway?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function build(): void {
  mkdirSync(join(folder, 'dashboard/assets'), { recursive: true });
  const put = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content);
  put('dashboard/index.html', INDEX);
  put('dashboard/favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  put('dashboard/assets/index-1.js', SCRIPT);
  put('dashboard/assets/index-2.css', '.a { color: red }\n'.repeat(50));
  put('dashboard/assets/tiny-3.woff2', Uint8Array.of(1, 2, 3));
  put('secret.txt', 'beside the page');
}

interface Response {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends the path unchanged and does not decompress the body, unlike `fetch`. */
function call(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = send({ port: gateway.port, host: '127.0.0.1', path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    request.on('error', reject).end();
  });
}

const codeOf = ({ status, body }: Response) =>
  `${status} ${(JSON.parse(body.toString()) as { error: { code: string } }).error.code}`;
const policyOf = ({ headers }: Response) => String(headers['content-security-policy']);
const nonceOf = (response: Response) => /'nonce-([A-Za-z0-9+/=]{22,})'/.exec(policyOf(response))?.[1];

test('the dashboard returns 404 with a hint until it is built, and then needs no restart', async () => {
  expect(codeOf(unbuilt)).toBe('404 not_found');
  expect(unbuilt.body.toString()).toContain('npm run build');
  expect((await call('/dashboard/', BROWSER)).status).toBe(200);
});

describe('dashboard page', () => {
  test('/dashboard redirects to /dashboard/ and keeps the query', async () => {
    for (const [path, location] of [
      ['/dashboard', '/dashboard/'],
      ['/dashboard?a=b', '/dashboard/?a=b'],
    ]) {
      const { status, headers } = await call(path!);
      expect([status, headers.location]).toEqual([308, location]);
    }
  });

  test.each(['/', '/keys', '/keys/0192f0c1-7a3e', '/keys?status=active&page=2', '/?x=a.b/c', '/keys/'])(
    'the page is served at %s with cache-control no-cache',
    async (path) => {
      const response = await call(`/dashboard${path}`, BROWSER);
      expect([response.status, response.headers['content-type'], response.headers['cache-control']]).toEqual([
        200,
        'text/html; charset=utf-8',
        'no-cache',
      ]);
      expect(response.body.toString()).toBe(INDEX.replaceAll(NONCE_MARK, nonceOf(response)!));
      expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  test('the security headers allow only scripts of the gateway and forbid framing', async () => {
    const response = await call('/dashboard/', BROWSER);
    expect(policyOf(response).split('; ').sort()).toEqual(
      [
        "default-src 'none'",
        "script-src 'self'",
        `style-src 'self' 'nonce-${nonceOf(response)}'`,
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ].sort(),
    );
    expect(response.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=()'),
    });
  });

  test('each response has its own nonce', async () => {
    const nonces = await Promise.all([1, 2, 3].map(async () => nonceOf(await call('/dashboard/', BROWSER))));
    expect(new Set(nonces).size).toBe(3);
  });
});

describe('files of the dashboard', () => {
  test('files with a hash in their name are immutable, and compressed for clients that accept gzip', async () => {
    const plain = await call('/dashboard/assets/index-1.js');
    expect(plain.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
      'content-length': String(SCRIPT.length),
    });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.body.toString()).toBe(SCRIPT);
    for (const encodings of ['gzip', 'br;q=1.0, gzip;q=0.8, *;q=0.1', 'deflate, gzip']) {
      const compressed = await call('/dashboard/assets/index-1.js', { 'accept-encoding': encodings });
      expect([compressed.headers['content-encoding'], compressed.headers.vary]).toEqual(['gzip', 'accept-encoding']);
      expect(gunzipSync(compressed.body).toString()).toBe(SCRIPT);
    }
  });

  test.each(['identity', 'gzip;q=0', 'gzip; q=0.000, br', 'br', ''])(
    'files are not compressed for accept-encoding "%s"',
    async (encodings) => {
      const response = await call('/dashboard/assets/index-1.js', { 'accept-encoding': encodings });
      expect([response.headers['content-encoding'], response.body.toString()]).toEqual([undefined, SCRIPT]);
    },
  );

  test('files have their content type, and those that gzip would not shrink are not compressed', async () => {
    const types = ['assets/index-2.css', 'assets/tiny-3.woff2', 'favicon.svg'].map(async (name) => {
      const { headers } = await call(`/dashboard/${name}`, { 'accept-encoding': 'gzip' });
      return [headers['content-type'], headers['content-encoding']];
    });
    expect(await Promise.all(types)).toEqual([
      ['text/css; charset=utf-8', 'gzip'],
      ['font/woff2', undefined],
      ['image/svg+xml; charset=utf-8', undefined],
    ]);
    expect((await call('/dashboard/favicon.svg')).headers['cache-control']).toBe('public, max-age=3600');
  });

  test('a matching if-none-match gets 304 without a body', async () => {
    const { etag } = (await call('/dashboard/assets/index-1.js')).headers;
    const again = await call('/dashboard/assets/index-1.js', { 'if-none-match': etag! });
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag]);
    expect((await call('/dashboard/assets/index-1.js', { 'if-none-match': 'W/"another"' })).status).toBe(200);
  });

  test('a path cannot reach files outside the build', async () => {
    for (const path of [
      '/dashboard/../secret.txt',
      '/dashboard/..%2fsecret.txt',
      '/dashboard/%2e%2e/secret.txt',
      '/dashboard/assets/../../secret.txt',
      '/dashboard/assets/..\\..\\secret.txt',
      '/dashboard//secret.txt',
      '/dashboard/assets%2findex-1.js',
      '/dashboard/constructor.js',
      '/dashboard/assets/__proto__',
    ]) {
      expect([path, codeOf(await call(path, BROWSER))]).toEqual([path, '404 route_not_found']);
    }
  });
});

describe('paths without a page', () => {
  test.each([
    ['a file of another build', '/dashboard/assets/index-0.js', BROWSER],
    ['a file outside assets', '/dashboard/robots.txt', BROWSER],
    ['the assets folder', '/dashboard/assets', BROWSER],
    ['a request for JSON', '/dashboard/keys', { accept: 'application/json' }],
    ['a path that cannot be decoded', '/dashboard/%', BROWSER],
    ['a path with the same prefix', '/dashboards', BROWSER],
    ['a route that accepts only POST', '/dashboard/password', BROWSER],
    ['a path below an API route', '/dashboard/session/x', BROWSER],
  ])('%s returns 404 route_not_found', async (_what, path, headers) => {
    expect(codeOf(await call(path, headers))).toBe('404 route_not_found');
  });

  test('methods other than GET and HEAD return 404 route_not_found', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])
      expect([method, codeOf(await call('/dashboard/keys', BROWSER, method))]).toEqual([method, '404 route_not_found']);
  });

  test('/dashboard/session returns 401 without a session and does not return the page', async () => {
    expect(codeOf(await call('/dashboard/session', BROWSER))).toBe('401 missing_api_key');
  });
});

test('HEAD returns the same status and headers as GET, without the body', async () => {
  for (const path of [
    '/dashboard',
    '/dashboard/',
    '/dashboard/keys',
    '/dashboard/assets/index-1.js',
    '/dashboard/no.js',
  ]) {
    const [get, head] = [await call(path, BROWSER), await call(path, BROWSER, 'HEAD')];
    const compared = ['content-type', 'cache-control', 'location'];
    const shown = ({ status, headers }: Response) => [status, ...compared.map((name) => headers[name])];
    expect([path, ...shown(head), head.body.length]).toEqual([path, ...shown(get), 0]);
  }
});
