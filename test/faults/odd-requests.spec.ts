import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { connect as connectHttp2 } from 'node:http2';
import { describe, expect, test } from '@jest/globals';
import { CHAT, errorIn, refusalIn, snapshot } from '../support/answers.js';
import { startImpatientGateway } from '../support/ready-gateway.js';
import { chatHead, chatRequest, Wire } from '../support/wire.js';
import { gatewayOfFile } from '../support/gateway-of-file.js';

/** Other protocols at the plain port, targets of other forms, `Expect`, and heads without end. */
const BODY = JSON.stringify(CHAT);
const JSON_TYPE = 'Content-Type: application/json';
const LENGTH = `Content-Length: ${BODY.length}`;

const file = gatewayOfFile(startImpatientGateway);

async function expectServing(): Promise<void> {
  expect((await file.gateway.chat(file.key)).status).toBe(200);
}

describe('another protocol at the plain port is refused and closed, and harms nobody', () => {
  test.each([
    ['HTTP/0.9', 'GET /health\r\n'],
    ['HTTP/0.9 with a blank', 'GET /health \r\n\r\n'],
    ['HTTP/2’s preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\x12\x04\0\0\0\0\0'],
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
    ['the PROXY protocol, binary', '\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c'],
    ['a chunk', '5\r\nhello\r\n0\r\n\r\n'],
    ['an answer', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
  ])('%s', async (_what, bytes) => {
    const wire = await Wire.open(file.gateway.port);
    wire.write(bytes);
    const answer = await wire.answer();
    expect(refusalIn(answer)).toMatch(/^(400 bad_request|404 route_not_found|408 request_timeout)$/);
    expect(errorIn(answer).request_id).toBe(answer.headers['x-request-id']);
    await wire.closed;
    expect(wire.unread).toBe('');
    await expectServing();
  });

  test('a client of TLS sees its handshake fail', async () => {
    const socket = connectTls({ port: file.gateway.port, host: '127.0.0.1', rejectUnauthorized: false });
    await expect(
      new Promise((resolve, reject) => socket.on('secureConnect', resolve).on('error', reject)),
    ).rejects.toThrow();
    await expectServing();
  });

  test('a client of HTTP/2 sees its session fail', async () => {
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

describe('a target of another form leads nowhere else', () => {
  const ask = (method: string, target: string, ...lines: string[]) =>
    Wire.once(file.gateway.port, [`${method} ${target} HTTP/1.1`, 'Host: x', ...lines, '', ''].join('\r\n'));

  test.each([
    ['absolute, of no protocol', 'POST', 'gopher://gateway/v1/chat/completions'],
    ['absolute, to dots', 'GET', 'http://elsewhere/v1/../admin/api-keys'],
    ['absolute, to two slashes', 'GET', 'http://elsewhere//v1/models'],
    ['absolute, without a path', 'GET', 'http://elsewhere'],
    ['absolute, with a fragment', 'GET', 'http://elsewhere/v1/models#x'],
    ['absolute, to a file', 'GET', 'file:///etc/passwd'],
    ['without a protocol', 'GET', '//elsewhere/v1/models'],
    ['with dots', 'GET', '/v1/../admin/api-keys'],
    ['with encoded dots', 'GET', '/v1/%2e%2e/admin/api-keys'],
    ['with a fragment', 'GET', '/v1/models#x'],
    ['with a backslash', 'GET', '/v1\\models'],
    ['with a NUL', 'GET', '/v1/models%00'],
    ['an asterisk', 'OPTIONS', '*'],
    ['an asterisk for GET', 'GET', '*'],
  ])('%s: 404', async (_what, method, target) => {
    const lines = [
      `Authorization: Bearer ${file.key.key}`,
      JSON_TYPE,
      ...(method === 'POST' ? ['Content-Length: 0'] : []),
    ];
    const answer = await ask(method, target, ...lines);
    expect(refusalIn(answer)).toMatch(/^(404 route_not_found|404 not_found|400 bad_request)$/);
    expect(file.gateway.upstream.requests).toEqual([]);
  });

  test.each(['elsewhere:443', '127.0.0.1:22', '/v1/models', 'http://elsewhere/', '*', 'x'])(
    'authority form, CONNECT %s: refused, and no tunnel',
    async (target) => {
      const wire = await Wire.open(file.gateway.port);
      wire.write(`CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n${chatRequest(file.key.key, BODY)}`);
      expect(refusalIn(await wire.answer())).toMatch(/^(404 route_not_found|400 bad_request)$/);
      await wire.closed;
      expect(wire.unread).toBe('');
      expect(file.gateway.upstream.requests).toEqual([]);
    },
  );

  test('authority form of another method is no request', async () => {
    expect(refusalIn(await ask('GET', 'elsewhere:443'))).toMatch(/^(404 route_not_found|400 bad_request)$/);
  });

  test('a Host that is not this server’s changes nothing, two of them neither', async () => {
    for (const lines of [['Host: elsewhere'], ['Host: a', 'Host: b'], ['Host:'], ['X-Forwarded-Host: elsewhere']]) {
      const head = chatHead(file.key.key, ...lines, JSON_TYPE, LENGTH).replace(
        'Host: gateway\r\n',
        lines[0]!.startsWith('Host') ? '' : 'Host: x\r\n',
      );
      const answer = await Wire.once(file.gateway.port, head + BODY);
      expect([200, 400]).toContain(answer.status);
    }
    for (const request of file.gateway.upstream.requests) expect(request.header('host')).toMatch(/^127\.0\.0\.1:/);
  });
});

describe('Expect', () => {
  const expecting = (value: string, ...lines: string[]) =>
    chatHead(file.key.key, JSON_TYPE, LENGTH, `Expect: ${value}`, ...lines);

  test('is granted once, however often it is written', async () => {
    for (const value of ['100-continue', '100-Continue', '100-continue, 100-continue']) {
      const wire = await Wire.open(file.gateway.port);
      wire.write(expecting(value));
      wire.write(BODY);
      const answers = [await wire.answer()];
      if (answers[0]!.status === 100) answers.push(await wire.answer());
      expect([value, answers.at(-1)!.status]).toEqual([value, 200]);
      expect(wire.unread).toBe('');
      wire.close();
    }
  });

  test('of a client that does not wait is no trouble: body and next request behind the head', async () => {
    const wire = await Wire.open(file.gateway.port);
    wire.write(expecting('100-continue') + BODY + chatRequest(file.key.key, BODY));
    const statuses = [];
    for (let at = 0; at < 3; at++) statuses.push((await wire.answer()).status);
    expect(statuses).toEqual([100, 200, 200]);
    wire.close();
  });

  test('of HTTP/1.0 is left alone', async () => {
    const answer = await Wire.once(file.gateway.port, expecting('100-continue').replace('HTTP/1.1', 'HTTP/1.0') + BODY);
    expect(answer.status).toBe(200);
  });

  test('without a body', async () => {
    const head = `GET /v1/models HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${file.key.key}\r\nExpect: 100-continue\r\n\r\n`;
    const wire = await Wire.open(file.gateway.port);
    wire.write(head);
    let answer = await wire.answer();
    if (answer.status === 100) answer = await wire.answer();
    expect(answer.status).toBe(200);
    wire.close();
  });

  test('whose client goes away instead of sending counts nowhere', async () => {
    const wire = await Wire.open(file.gateway.port);
    wire.write(expecting('100-continue'));
    expect((await wire.answer()).status).toBe(100);
    wire.close();
    await expectServing();
    expect((await snapshot(file.gateway, file.key)).today.used).toBe(1);
  });
});

describe('a head', () => {
  test.each([
    ['of a hundred thousand headers', Array.from({ length: 100_000 }, (_, at) => `X-${at}: y`).join('\r\n')],
    ['of one header of 10 MB', `X-A: ${'x'.repeat(10_000_000)}`],
    ['of a name of 1 MB', `${'x'.repeat(1_000_000)}: y`],
    ['of the same header ten thousand times', 'X-A: y\r\n'.repeat(10_000).trimEnd()],
    ['of a cookie of 20 KB', `Cookie: ${'a=b; '.repeat(4_000)}`],
  ])('%s is 431, and its connection ends', async (_what, lines) => {
    const wire = await Wire.open(file.gateway.port);
    wire.write(`GET /v1/usage HTTP/1.1\r\nHost: x\r\n${lines}\r\n\r\n`);
    expect(refusalIn(await wire.answer())).toBe('431 headers_too_large');
    await wire.closed;
  });

  test('of as many headers as fit into 16 KB is judged by all of them', async () => {
    // Node alone would look at the first 2000 and leave out the rest, the key among them.
    const many = Array.from({ length: 2_500 }, () => 'a:').join('\r\n');
    const head = `GET /v1/models HTTP/1.1\r\nHost: x\r\n${many}\r\nAuthorization: Bearer ${file.key.key}\r\n\r\n`;
    const answer = await Wire.once(file.gateway.port, head);
    expect(refusalIn(answer)).toMatch(/^(200|431 headers_too_large)$/);
  });

  test('whose length of the body stands behind two thousand headers is not read as one without a body', async () => {
    const many = Array.from({ length: 2_500 }, () => 'a:').join('\r\n');
    const wire = await Wire.open(file.gateway.port);
    wire.write(chatHead(file.key.key, many, JSON_TYPE, LENGTH) + BODY + chatRequest(file.key.key, BODY));
    const [first, second] = [await wire.answer(), await wire.answer().catch(() => null)];
    expect(refusalIn(first)).toMatch(/^(200|400 invalid_content_type|431 headers_too_large)$/);
    expect(second?.status ?? 'cut').toEqual(first.status === 431 ? 'cut' : 200);
    wire.close();
  });
});

test('a client that resets in every phase of a request leaves the gateway serving', async () => {
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
