import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { ScriptedProvider, type Script } from '../../../sandbox/src/scripted/scripted-provider.js';
import { until } from '../../support/until.js';
import type { Key, TestGateway } from '../../support/gateway.js';
import { startGateway } from '../../support/ready-gateway.js';
import { Wire } from '../../support/wire.js';

const MB = 1024 * 1024;
const FILE_BYTES_MAX = 48 * MB;
const ROUTE = 'POST /v1/files';
const FORM = 'Content-Type: multipart/form-data; boundary=b';

const accept: Script = async (request) => {
  await request.read();
  return { body: { object: 'file' } };
};

const respondEarly: Script = ({ incoming }, response) => {
  const headers = { 'content-type': 'application/json' };
  incoming.once('data', () => response.writeHead(200, headers).end('{"early":true}'));
};

/** Handles an upload from its first byte, not only when it is complete. */
let upstream: ScriptedProvider;
let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  upstream = await ScriptedProvider.start({ at: 'head', routes: new Map([[ROUTE, accept]]) });
  gateway = await startGateway({
    GW_UPSTREAM_BASE_URL: upstream.url,
    GW_FILE_MAX_BYTES: String(FILE_BYTES_MAX),
    GW_BODY_IDLE_TIMEOUT_MS: '700',
    GW_UPSTREAM_IDLE_TIMEOUT_MS: '700',
    GW_UPSTREAM_HEAD_TIMEOUT_MS: '700',
  });
  key = await gateway.createKey();
});
afterAll(async () => {
  await gateway.stop();
  await upstream.stop();
});
beforeEach(() => upstream.reset());

const arrival = () => upstream.received(0, ROUTE);
const onUpload = (script: Script) => upstream.on('POST', '/v1/files', script);

const head = (...lines: string[]): string =>
  ['POST /v1/files HTTP/1.1', 'Host: g', `Authorization: Bearer ${key.key}`, FORM, ...lines, '', ''].join('\r\n');
const chunk = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
const END = '0\r\n\r\n';
const CHUNKED = 'Transfer-Encoding: chunked';
const lengthOf = (bytes: number): string => `Content-Length: ${bytes}`;
/** Returns bytes without a repeating pattern, so that a missing piece is detected. */
const content = (length: number): Buffer =>
  Buffer.from(Uint8Array.from({ length }, (_, at) => (at * at + at / 7) & 255));
const code = (text: string): unknown => (JSON.parse(text) as { error: { code: string } }).error.code;

describe('forwarding of a file', () => {
  test('a file of known length is forwarded with that length', async () => {
    const bytes = content(3 * MB + 17);
    const wire = await Wire.open(gateway.port);
    wire.write(head(lengthOf(bytes.length)));
    wire.write(bytes);
    expect((await wire.response()).text).toBe('{"object":"file"}');
    const { incoming, body } = await arrival();
    expect(body.equals(bytes)).toBe(true);
    expect(incoming.headers).toMatchObject({ 'content-length': String(bytes.length), 'content-type': FORM.slice(14) });
    expect(incoming.headers['transfer-encoding']).toBeUndefined();
    wire.write(`GET /v1/usage HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${key.key}\r\n\r\n`);
    expect((await wire.response()).status).toBe(200);
    wire.close();
  });

  test('a file without a length is forwarded in chunks', async () => {
    const bytes = content(MB + 5);
    const pieces = [bytes.subarray(0, 1), bytes.subarray(1, 70_000), bytes.subarray(70_000)];
    const { status } = await Wire.once(
      gateway.port,
      Buffer.concat([Buffer.from(head(CHUNKED)), ...pieces.map(chunk), Buffer.from(END)]),
    );
    expect(status).toBe(200);
    const { incoming, body } = await arrival();
    expect(body.equals(bytes)).toBe(true);
    expect(incoming.headers['content-length']).toBeUndefined();
  });

  test('chunks of one byte are combined into longer ones', async () => {
    let pieces = 0;
    onUpload((request, response) => {
      request.incoming.on('data', () => (pieces += 1));
      return accept(request, response);
    });
    const bytes = content(20_000);
    const crumbs = Array.from(bytes, (_, at) => chunk(bytes.subarray(at, at + 1)));
    const { status } = await Wire.once(
      gateway.port,
      Buffer.concat([Buffer.from(head(CHUNKED)), ...crumbs, Buffer.from(END)]),
    );
    expect(status).toBe(200);
    expect((await arrival()).body.equals(bytes)).toBe(true);
    expect(pieces).toBeLessThan(1_000);
  });

  test.each([lengthOf(0), 'X-No-Length: 1'])('an upload without a body is forwarded without one: %s', async (line) => {
    expect((await Wire.once(gateway.port, head(line))).status).toBe(200);
    expect((await arrival()).body).toHaveLength(0);
  });

  test('a slow upload is forwarded while the client is still sending it', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write(head(lengthOf(8)));
    wire.write('1');
    const request = await arrival();
    await until(() => request.body.length === 1);
    // Together, the seven pauses exceed each of the three timeouts. Each pause is shorter than all of them.
    for (let n = 2; n <= 8; n++) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      wire.write(String(n));
      await until(() => request.body.length === n);
    }
    expect((await wire.response()).status).toBe(200);
    expect(request.body.toString()).toBe('12345678');
    wire.close();
  });

  test('the gateway reads no faster than the upstream, so it does not buffer the file', async () => {
    onUpload(() => {});
    const wire = await Wire.open(gateway.port);
    wire.write(head(lengthOf(40 * MB)));
    let answered = false;
    const response = wire.response().finally(() => (answered = true));
    let sent = 0;
    for (; sent < 40 * MB && !answered; sent += 65_536) {
      wire.write(Buffer.alloc(65_536));
      await Promise.race([wire.drained(), response]);
    }
    // When the gateway gives up, the buffers of four sockets hold a few MB each, and the gateway less than 1 MB.
    expect((await response).status).toBe(502);
    expect(sent).toBeLessThan(30 * MB);
    wire.close();
  });
});

describe('limits of an upload', () => {
  const usedBy = async (by: Key) =>
    (await gateway.call<{ today: { used: number } }>('GET', '/v1/usage', { key: by })).body.today.used;

  test('a length over the limit returns 413 before the body is read, and does not count', async () => {
    const before = await usedBy(key);
    const wire = await Wire.open(gateway.port);
    wire.write(head(lengthOf(FILE_BYTES_MAX + 1), 'Expect: 100-continue'));
    const response = await wire.response();
    expect([response.status, code(response.text)]).toEqual([413, 'request_too_large']);
    expect(upstream.requests.filter(({ route }) => route === ROUTE)).toHaveLength(0);
    expect(await usedBy(key)).toBe(before);
    wire.close();
  });

  test('a body without a length returns 413 at the limit, aborts the upstream request, and counts', async () => {
    const before = await usedBy(key);
    const wire = await Wire.open(gateway.port);
    wire.write(head(CHUNKED));
    wire.write(chunk(Buffer.alloc(FILE_BYTES_MAX)));
    wire.write(chunk(Buffer.alloc(1)));
    const response = await wire.response();
    expect([response.status, code(response.text)]).toEqual([413, 'request_too_large']);
    await (
      await arrival()
    ).cut;
    expect(await usedBy(key)).toBe(before + 1);
    wire.close();
  });

  test('a body of exactly the limit is forwarded', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write(head(CHUNKED));
    wire.write(chunk(Buffer.alloc(FILE_BYTES_MAX)));
    wire.write(END);
    expect((await wire.response()).status).toBe(200);
    wire.close();
  });
});

describe('100 Continue', () => {
  test('100 Continue is sent when the upstream can receive the body', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write(head(lengthOf(3), 'Expect: 100-continue'));
    expect((await wire.response()).status).toBe(100);
    wire.write('abc');
    expect((await wire.response()).status).toBe(200);
    expect((await arrival()).body.toString()).toBe('abc');
    wire.close();
  });

  test('100 Continue is not sent if the upstream is unreachable', async () => {
    const down = await startGateway({ GW_UPSTREAM_BASE_URL: 'http://127.0.0.1:1/v1' });
    const other = await down.createKey();
    const response = await Wire.once(down.port, head(lengthOf(3), 'Expect: 100-continue').replace(key.key, other.key));
    expect(response.status).toBe(502);
    await down.stop();
  });
});

describe('stalled upload', () => {
  test('a client that stalls returns 408, and the upstream request is aborted', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write(head(lengthOf(10)));
    wire.write('12345');
    const response = await wire.response();
    expect([response.status, code(response.text)]).toEqual([408, 'request_timeout']);
    await (
      await arrival()
    ).cut;
    wire.close();
  });

  test('an upstream that stops reading causes a 502', async () => {
    onUpload(({ incoming }) => void incoming.once('data', () => incoming.pause()));
    const wire = await Wire.open(gateway.port);
    wire.write(head(lengthOf(40 * MB)));
    wire.write(Buffer.alloc(40 * MB));
    const response = await wire.response();
    expect([response.status, code(response.text)]).toEqual([502, 'upstream_error']);
    wire.close();
  });

  test('an upstream that does not respond to the complete upload causes a 502', async () => {
    onUpload(({ incoming }) => void incoming.resume());
    const response = await Wire.once(gateway.port, `${head(lengthOf(3))}abc`);
    expect([response.status, code(response.text)]).toEqual([502, 'upstream_error']);
  });
});

describe('interrupted upload', () => {
  test('a client that disconnects aborts the upstream request', async () => {
    const wire = await Wire.open(gateway.port);
    wire.write(head(lengthOf(10 * MB)));
    wire.write(Buffer.alloc(MB));
    const request = await arrival();
    await until(() => request.body.length === MB);
    wire.close();
    await request.cut;
  });

  test.each([401, 413, 429])('an upstream status %d during the upload is reported to the client', async (status) => {
    onUpload(({ incoming }, response) => {
      incoming.once('data', () =>
        response.writeHead(status, { 'retry-after': '3' }).end('{"error":{"message":"enough"}}'),
      );
    });
    const wire = await Wire.open(gateway.port);
    wire.write(head(lengthOf(9 * MB)));
    wire.write(Buffer.alloc(9 * MB));
    const received = await wire.response();
    expect([received.status, received.headers['x-gw-upstream-status']]).toEqual([502, String(status)]);
    expect(received.text).toContain('enough');
    wire.close();
  });

  test('an early 200 from the upstream is returned, and the rest of the upload is discarded', async () => {
    onUpload(respondEarly);
    const wire = await Wire.open(gateway.port);
    wire.write(head(lengthOf(9 * MB)));
    wire.write(Buffer.alloc(9 * MB));
    expect(await wire.response()).toMatchObject({ status: 200, text: '{"early":true}' });
    await wire.drained();
    wire.write(`GET /v1/usage HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${key.key}\r\n\r\n`);
    expect((await wire.response()).status).toBe(200);
    wire.close();
  });

  test('early responses leave no event listeners on the connection', async () => {
    onUpload(respondEarly);
    const warnings: string[] = [];
    const onWarning = ({ name }: Error) => warnings.push(name);
    process.on('warning', onWarning);
    const wire = await Wire.open(gateway.port);
    // Node.js warns about more than 10 listeners for one event.
    for (let times = 0; times < 12; times++) {
      wire.write(head(lengthOf(MB)));
      wire.write(Buffer.alloc(MB - 1));
      expect((await wire.response()).status).toBe(200);
      wire.write(Buffer.alloc(1));
    }
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
    wire.close();
  });

  test('an upstream connection that breaks during the upload causes a 502', async () => {
    onUpload(({ incoming }) => void incoming.once('data', () => incoming.socket.resetAndDestroy()));
    const wire = await Wire.open(gateway.port);
    wire.write(head(lengthOf(9 * MB)));
    wire.write(Buffer.alloc(9 * MB));
    const response = await wire.response();
    expect([response.status, code(response.text)]).toEqual([502, 'upstream_error']);
    wire.close();
  });
});
