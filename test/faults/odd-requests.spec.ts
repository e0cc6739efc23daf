import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { connect as connectHttp2 } from 'node:http2';
import { describe, expect, test } from '@jest/globals';
import { CHAT, errorIn, errorCodeIn, snapshot } from '../support/responses.js';
import { startGatewayWithShortTimeouts } from '../support/ready-gateway.js';
import { chatHead, chatRequest, Wire } from '../support/wire.js';
import { gatewayOfFile } from '../support/gateway-of-file.js';

const BODY = JSON.stringify(CHAT);
const JSON_TYPE = 'Content-Type: application/json';
const LENGTH = `Content-Length: ${BODY.length}`;

const file = gatewayOfFile(startGatewayWithShortTimeouts);

async function expectServing(): Promise<void> {
  expect((await file.gateway.chat(file.key)).status).toBe(200);
}

describe('other protocols on the HTTP port', () => {
  test.each([
    ['HTTP/0.9', 'GET /health\r\n'],
    ['HTTP/0.9 with a trailing space', 'GET /health \r\n\r\n'],
    ['the HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\x12\x04\0\0\0\0\0'],
    ['HTTP/3', 'GET /health HTTP/3\r\nHost: x\r\n\r\n'],
    ['HTTP/1.2', 'GET /health HTTP/1.2\r\nHost: x\r\n\r\n'],
    ['HTTP/1.10', 'GET /health HTTP/1.10\r\nHost: x\r\n\r\n'],
    ['RTSP', 'DESCRIBE rtsp://x/y RTSP/1.0\r\nCSeq: 1\r\n\r\n'],
    ['ICE', 'SOURCE /x ICE/1.0\r\n\r\n'],
    ['SSH', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['SMTP', 'EHLO x\r\nMAIL FROM:<a@b>\r\n'],
    ['Redis', '*1\r\n$4\r\nPING\r\n'],
    ['PostgreSQL', '\0\0\0\x08\x04\xd2\x16\x2f'],
    ['SOCKS', '\x05\x01\0'],
    ['the PROXY protocol', 'PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['the binary PROXY protocol', '\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c'],
    ['a chunk', '5\r\nhello\r\n0\r\n\r\n'],
    ['an HTTP response', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
  ])('rejects %s, closes the connection, and serves other clients', async (_what, bytes) => {
    const wire = await Wire.open(file.gateway.port);
    wire.write(bytes);
    const response = await wire.response();
    expect(errorCodeIn(response)).toMatch(/^(400 bad_request|404 route_not_found|408 request_timeout)$/);
    expect(errorIn(response).request_id).toBe(response.headers['x-request-id']);
    await wire.closed;
    expect(wire.unread).toBe('');
    await expectServing();
  });

  test('a TLS handshake fails', async () => {
    const socket = connectTls({ port: file.gateway.port, host: '127.0.0.1', rejectUnauthorized: false });
    await expect(
      new Promise((resolve, reject) => socket.on('secureConnect', resolve).on('error', reject)),
    ).rejects.toThrow();
    await expectServing();
  });

  test('an HTTP/2 session fails', async () => {
    const session = connectHttp2(`http://127.0.0.1:${file.gateway.port}`);
    session.on('error', () => {});
    const request = session.request({ ':path': '/health' });
    await expect(
      new Promise((resolve, reject) => request.on('response', resolve).on('error', reject)),
    ).rejects.toThrow();
    session.destroy();
    await expectServing();
  });
});

describe('unusual request targets', () => {
  const ask = (method: string, target: string, ...lines: string[]) =>
    Wire.once(file.gateway.port, [`${method} ${target} HTTP/1.1`, 'Host: x', ...lines, '', ''].join('\r\n'));

  test.each([
    ['an absolute target of an unknown scheme', 'POST', 'gopher://gateway/v1/chat/completions'],
    ['an absolute target with dot segments', 'GET', 'http://elsewhere/v1/../admin/api-keys'],
    ['an absolute target with two slashes', 'GET', 'http://elsewhere//v1/models'],
    ['an absolute target without a path', 'GET', 'http://elsewhere'],
    ['an absolute target with a fragment', 'GET', 'http://elsewhere/v1/models#x'],
    ['a file URL', 'GET', 'file:///etc/passwd'],
    ['a target without a scheme', 'GET', '//elsewhere/v1/models'],
    ['a path with dot segments', 'GET', '/v1/../admin/api-keys'],
    ['a path with encoded dot segments', 'GET', '/v1/%2e%2e/admin/api-keys'],
    ['a path with a fragment', 'GET', '/v1/models#x'],
    ['a path with a backslash', 'GET', '/v1\\models'],
    ['a path with NUL', 'GET', '/v1/models%00'],
    ['an asterisk with OPTIONS', 'OPTIONS', '*'],
    ['an asterisk with GET', 'GET', '*'],
  ])('rejects %s with 404 or 400 and sends nothing upstream', async (_what, method, target) => {
    const lines = [
      `Authorization: Bearer ${file.key.key}`,
      JSON_TYPE,
      ...(method === 'POST' ? ['Content-Length: 0'] : []),
    ];
    const response = await ask(method, target, ...lines);
    expect(errorCodeIn(response)).toMatch(/^(404 route_not_found|404 not_found|400 bad_request)$/);
    expect(file.gateway.upstream.requests).toEqual([]);
  });

  test.each(['elsewhere:443', '127.0.0.1:22', '/v1/models', 'http://elsewhere/', '*', 'x'])(
    'rejects CONNECT %s and opens no tunnel',
    async (target) => {
      const wire = await Wire.open(file.gateway.port);
      wire.write(`CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n${chatRequest(file.key.key, BODY)}`);
      expect(errorCodeIn(await wire.response())).toMatch(/^(404 route_not_found|400 bad_request)$/);
      await wire.closed;
      expect(wire.unread).toBe('');
      expect(file.gateway.upstream.requests).toEqual([]);
    },
  );

  test('rejects a target in authority form with another method', async () => {
    expect(errorCodeIn(await ask('GET', 'elsewhere:443'))).toMatch(/^(404 route_not_found|400 bad_request)$/);
  });

  test('the Host header never affects the upstream request', async () => {
    for (const lines of [['Host: elsewhere'], ['Host: a', 'Host: b'], ['Host:'], ['X-Forwarded-Host: elsewhere']]) {
      const head = chatHead(file.key.key, ...lines, JSON_TYPE, LENGTH).replace(
        'Host: gateway\r\n',
        lines[0]!.startsWith('Host') ? '' : 'Host: x\r\n',
      );
      const response = await Wire.once(file.gateway.port, head + BODY);
      expect([200, 400]).toContain(response.status);
    }
    for (const request of file.gateway.upstream.requests) expect(request.header('host')).toMatch(/^127\.0\.0\.1:/);
  });
});

describe('Expect header', () => {
  const expecting = (value: string, ...lines: string[]) =>
    chatHead(file.key.key, JSON_TYPE, LENGTH, `Expect: ${value}`, ...lines);

  test('sends 100 Continue at most once, even if the client asks repeatedly', async () => {
    for (const value of ['100-continue', '100-Continue', '100-continue, 100-continue']) {
      const wire = await Wire.open(file.gateway.port);
      wire.write(expecting(value));
      wire.write(BODY);
      const responses = [await wire.response()];
      if (responses[0]!.status === 100) responses.push(await wire.response());
      expect([value, responses.at(-1)!.status]).toEqual([value, 200]);
      expect(wire.unread).toBe('');
      wire.close();
    }
  });

  test('serves a client that sends the body and the next request without waiting for 100', async () => {
    const wire = await Wire.open(file.gateway.port);
    wire.write(expecting('100-continue') + BODY + chatRequest(file.key.key, BODY));
    const statuses = [];
    for (let at = 0; at < 3; at++) statuses.push((await wire.response()).status);
    expect(statuses).toEqual([100, 200, 200]);
    wire.close();
  });

  test('ignores Expect in an HTTP/1.0 request', async () => {
    const response = await Wire.once(
      file.gateway.port,
      expecting('100-continue').replace('HTTP/1.1', 'HTTP/1.0') + BODY,
    );
    expect(response.status).toBe(200);
  });

  test('serves a request with Expect but without a body', async () => {
    const head = `GET /v1/models HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${file.key.key}\r\nExpect: 100-continue\r\n\r\n`;
    const wire = await Wire.open(file.gateway.port);
    wire.write(head);
    let response = await wire.response();
    if (response.status === 100) response = await wire.response();
    expect(response.status).toBe(200);
    wire.close();
  });

  test('does not count a request whose client disconnects after 100 Continue', async () => {
    const wire = await Wire.open(file.gateway.port);
    wire.write(expecting('100-continue'));
    expect((await wire.response()).status).toBe(100);
    wire.close();
    await expectServing();
    expect((await snapshot(file.gateway, file.key)).today.used).toBe(1);
  });
});

describe('large request headers', () => {
  test.each([
    ['100,000 headers', Array.from({ length: 100_000 }, (_, at) => `X-${at}: y`).join('\r\n')],
    ['one header of 10 MB', `X-A: ${'x'.repeat(10_000_000)}`],
    ['a header name of 1 MB', `${'x'.repeat(1_000_000)}: y`],
    ['10,000 copies of a header', 'X-A: y\r\n'.repeat(10_000).trimEnd()],
    ['a cookie of 20 KB', `Cookie: ${'a=b; '.repeat(4_000)}`],
  ])('rejects a request with %s with 431 and closes the connection', async (_what, lines) => {
    const wire = await Wire.open(file.gateway.port);
    wire.write(`GET /v1/usage HTTP/1.1\r\nHost: x\r\n${lines}\r\n\r\n`);
    expect(errorCodeIn(await wire.response())).toBe('431 headers_too_large');
    await wire.closed;
  });

  test('reads the API key after 2,500 headers, or returns 431', async () => {
    // By default, Node reads only the first 2,000 headers and would ignore the key.
    const many = Array.from({ length: 2_500 }, () => 'a:').join('\r\n');
    const head = `GET /v1/models HTTP/1.1\r\nHost: x\r\n${many}\r\nAuthorization: Bearer ${file.key.key}\r\n\r\n`;
    const response = await Wire.once(file.gateway.port, head);
    expect(errorCodeIn(response)).toMatch(/^(200|431 headers_too_large)$/);
  });

  test('a Content-Length after 2,500 headers is never ignored', async () => {
    const many = Array.from({ length: 2_500 }, () => 'a:').join('\r\n');
    const wire = await Wire.open(file.gateway.port);
    wire.write(chatHead(file.key.key, many, JSON_TYPE, LENGTH) + BODY + chatRequest(file.key.key, BODY));
    const [first, second] = [await wire.response(), await wire.response().catch(() => null)];
    expect(errorCodeIn(first)).toMatch(/^(200|400 invalid_content_type|431 headers_too_large)$/);
    expect(second?.status ?? 'cut').toEqual(first.status === 431 ? 'cut' : 200);
    wire.close();
  });
});

test('serves other clients after resets in every phase of a request', async () => {
  const request = chatRequest(file.key.key, JSON.stringify({ ...CHAT, stream: true }));
  await Promise.all(
    Array.from({ length: 200 }, async (_, at) => {
      const socket = connect(file.gateway.port, '127.0.0.1');
      socket.on('error', () => {});
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.write(request.slice(0, Math.ceil((request.length * (at + 1)) / 200)), () => socket.resetAndDestroy());
      await new Promise((resolve) => socket.once('close', resolve));
    }),
  );
  await expectServing();
});
