import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Config } from '../../../src/platform/config/config.js';
import { GatewayError } from '../../../src/platform/errors/gateway-error.js';
import { BodyMemory } from '../../../src/platform/fairness/body-memory.js';
import { ParseQueue } from '../../../src/platform/fairness/parse-queue.js';
import { RequestBodyGuard } from '../../../src/proxy/pipeline/request-body.guard.js';
import type { KeySnapshot } from '../../../src/platform/request-context/key-snapshot.js';
import { RequestContext } from '../../../src/platform/request-context/request-context.js';
import type { RefusalRecheck } from '../../../src/proxy/pipeline/refusal-recheck.service.js';
import type { BodyKind, GatewayRouteSpec } from '../../../src/platform/routes/route-spec.js';
import { BOUNDARY, formOf, text } from '../../support/multipart-forms.js';

const FILE_BYTES_MAX = 2_000_000;
const config = Config.from({ NODE_ENV: 'test', GW_FILE_MAX_BYTES: String(FILE_BYTES_MAX) });

const rejectImmediately = {
  confirm: (_ctx, refusal) => Promise.reject(refusal),
} as Partial<RefusalRecheck> as RefusalRecheck;

/** Runs the guard on a real server, with one path per body kind. The response has the request context or the error code. */
let server: Server;
beforeAll(async () => {
  const guard = new RequestBodyGuard(config, new BodyMemory(config), new ParseQueue(config), rejectImmediately);
  server = createServer((raw, res) => {
    const ctx = new RequestContext('id', raw.method!);
    ctx.client.contentType = raw.headers['content-type'];
    ctx.key = { id: 'key' } as KeySnapshot;
    ctx.route = routeOf(raw.url!.slice(1) as BodyKind);
    const args = [{ raw, ctx }, { raw: res }];
    const host = { getArgByIndex: (at: number) => args[at] } as unknown as ExecutionContext;
    void new Promise((resolve) => resolve(guard.canActivate(host)))
      .then(() => ({
        body: ctx.body.bytes?.toString() ?? null,
        json: ctx.body.json,
        stream: ctx.stream,
        read: raw.readableDidRead,
      }))
      .catch((error: GatewayError) => ({ code: error.code }))
      .then((left) => res.end(JSON.stringify(left)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const routeOf = (body: BodyKind): GatewayRouteSpec => ({
  kind: 'gateway',
  endpoint: '/v1/x',
  body,
  bodyBytesMax: 1_000,
  model: 'none',
  quota: 'counted',
  usage: null,
  api: 'openai',
});

async function left(kind: BodyKind, body?: string | Uint8Array<ArrayBuffer>, type = 'text/plain') {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${kind}`;
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body });
  return (await response.json()) as Record<string, unknown>;
}

describe('RequestBodyGuard', () => {
  test('an opaque body is buffered unparsed, up to the limit of its route', async () => {
    expect(await left('opaque', '{"model":')).toEqual({ body: '{"model":', json: null, stream: false, read: true });
    expect(await left('opaque')).toMatchObject({ body: null, json: null });
    expect(await left('opaque', 'x'.repeat(1_001))).toEqual({ code: 'request_too_large' });
  });

  test.each(['upload', 'streamed'] as const)(
    'the guard does not read a body of kind %s, and rejects a Content-Length above GW_FILE_MAX_BYTES',
    async (kind) => {
      const form = 'Multipart/Form-Data; boundary=b';
      const unread = { body: null, json: null, stream: false, read: false };
      expect(await left(kind, 'x'.repeat(5_000), form)).toEqual(unread);
      expect(await left(kind, new Uint8Array(FILE_BYTES_MAX), form)).toMatchObject({ read: false });
      expect(await left(kind, new Uint8Array(FILE_BYTES_MAX + 1), form)).toEqual({ code: 'request_too_large' });
      for (const type of ['text/plain', 'application/json', 'multipart/form-datax'])
        expect(await left(kind, 'x', type)).toEqual(kind === 'upload' ? { code: 'invalid_content_type' } : unread);
    },
  );

  test('a body of kind either is parsed as a form or as JSON, by its Content-Type', async () => {
    const form = formOf([text('a', 'b')]).toString();
    const read = { stream: false, read: true };
    expect(await left('either', form, `multipart/form-data; boundary=${BOUNDARY}`)).toEqual({
      ...read,
      body: form,
      json: { a: 'b' },
    });
    expect(await left('either', '{"a":1}', 'application/json')).toEqual({ ...read, body: '{"a":1}', json: { a: 1 } });
    expect(await left('either', '{"a":1}')).toEqual({ code: 'invalid_content_type' });
    expect(await left('either', '{"a":', 'application/json')).toEqual({ code: 'invalid_json' });
  });

  test('a multipart body is buffered, and its fields are parsed', async () => {
    const body = formOf([text('a', 'b'), text('stream', 'true')]).toString();
    const type = `multipart/form-data; boundary=${BOUNDARY}`;
    expect(await left('multipart', body, type)).toEqual({
      body,
      json: { a: 'b', stream: 'true' },
      stream: true,
      read: true,
    });
    expect(await left('multipart', body, 'multipart/form-data')).toEqual({ code: 'invalid_content_type' });
    expect(await left('multipart', body.slice(1), type)).toEqual({ code: 'invalid_value' });
    expect(await left('multipart', 'x'.repeat(1_001), type)).toEqual({ code: 'request_too_large' });
  });

  test('a body on a route without one is discarded, and the request is accepted', async () => {
    expect(await left('none', 'x'.repeat(5_000))).toEqual({ body: null, json: null, stream: false, read: true });
  });
});
