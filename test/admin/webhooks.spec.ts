import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { WEBHOOKS_MAX } from '../../src/audit/events/webhooks.service.js';
import { isSigned, Receiver } from '../support/webhook-receiver.js';
import { WebhookGateway, type WebhookRow } from '../support/webhook-gateway.js';
import { errorCodeIn } from '../support/responses.js';

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const UUID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const NOWHERE = 'https://hooks.example.invalid/x';

interface Page {
  readonly total: number;
  readonly has_more: boolean;
  readonly webhooks: WebhookRow[];
}

let receiver: Receiver;
let gw: WebhookGateway;
let strict: WebhookGateway;
beforeAll(async () => {
  [receiver, gw, strict] = await Promise.all([
    Receiver.start(),
    WebhookGateway.start(),
    WebhookGateway.start({ GW_WEBHOOK_ALLOW_PRIVATE: 'false' }),
  ]);
});
afterAll(async () => {
  await Promise.all([gw.stop(), strict.stop()]);
  await receiver.stop();
});
afterEach(() => gw.clear());

const refusal = async (method: string, path: string, body?: unknown, at = gw) =>
  errorCodeIn(await at.webhooks(method, path, body));

describe('POST and GET /admin/webhooks', () => {
  test('a webhook is returned with every field, but with its secret only on creation', async () => {
    const made = await gw.webhooks<WebhookRow>('POST', '', { url: NOWHERE, events: ['key_expired', 'webhook_test'] });
    const { secret, ...row } = made.body;
    expect(made.status).toBe(201);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(row).toEqual({
      id: UUID,
      url: NOWHERE,
      events: ['key_expired', 'webhook_test'],
      enabled: true,
      disabled_reason: null,
      created_at: TIME,
      updated_at: row.created_at,
    });
    const read = await gw.webhooks('GET', `/${row.id}`);
    expect([read.status, read.body]).toEqual([200, row]);
    expect((await gw.webhooks<Page>('GET', '')).body).toEqual({ total: 1, has_more: false, webhooks: [row] });
  });

  test('each webhook has its own secret, which is stored encrypted', async () => {
    const [one, other] = [await gw.createWebhook(NOWHERE), await gw.createWebhook(NOWHERE)];
    expect(one.secret).not.toBe(other.secret);
    const bytes = Buffer.from(one.secret.slice('whsec_'.length), 'base64');
    expect(bytes).toHaveLength(32);
    const [row] = await gw.query('select webhooks::text as text from webhooks where id = $1', [one.id]);
    for (const form of [one.secret.slice('whsec_'.length), bytes.toString('hex'), bytes.toString('base64url')])
      expect(String(row!.text)).not.toContain(form);
  });

  test('webhooks are listed newest first, in pages', async () => {
    const urls = [1, 2, 3].map((n) => `${NOWHERE}/${n}`);
    for (const url of urls) await gw.createWebhook(url, { enabled: false });
    const page = async (query: string) => {
      const { total, has_more, webhooks } = (await gw.webhooks<Page>('GET', query)).body;
      return [total, has_more, webhooks.map(({ url }) => url)];
    };
    expect(await page('')).toEqual([3, false, urls.toReversed()]);
    expect(await page('?limit=2')).toEqual([3, true, [urls[2], urls[1]]]);
    expect(await page('?limit=2&offset=2')).toEqual([3, false, [urls[0]]]);
    expect(await page('?offset=2147483647')).toEqual([3, false, []]);
  });

  test('concurrent requests cannot create more than 100 webhooks', async () => {
    await gw.query(
      `insert into webhooks (id, url, events, secret, enabled, created_at, updated_at)
       select gen_random_uuid(), $1, '{*}', '', false, now(), now() from generate_series(1, $2)`,
      [NOWHERE, WEBHOOKS_MAX - 1],
    );
    const create = () => refusal('POST', '', { url: NOWHERE, events: ['*'], enabled: false });
    expect((await Promise.all([create(), create(), create()])).sort()).toEqual([
      '201',
      '400 validation_error url',
      '400 validation_error url',
    ]);
    expect((await gw.webhooks<Page>('GET', '?limit=1')).body.total).toBe(WEBHOOKS_MAX);
  });
});

/** Fields that are rejected on creation and on change, each with the `param` of the error. */
const WRONG: [object, string][] = [
  ...[
    '',
    'example.com',
    'ftp://example.com',
    'http://user:pass@example.com/',
    'https://example.com/a b',
    7,
    null,
    [],
    {},
  ].map((url): [object, string] => [{ url }, 'url']),
  [{ url: `https://example.com/${'x'.repeat(1981)}` }, 'url'],
  [{ url: 'https://example.com/\0' }, 'url'],
  ...[[], '*', 'key_expired', {}, null, ['nope'], ['webhook_disabled'], [''], [7], [null], ['KEY_EXPIRED']].map(
    (events): [object, string] => [{ events }, 'events'],
  ),
  ...[
    ['*', 'key_expired'],
    ['*', '*'],
    ['key_expired', 'key_expired'],
  ].map((events): [object, string] => [{ events }, 'events']),
  ...['true', 1, null, []].map((enabled): [object, string] => [{ enabled }, 'enabled']),
  ...['secret', 'id', 'disabled_reason', 'colour'].map((field): [object, string] => [{ [field]: 'x' }, field]),
];

describe('invalid webhook body', () => {
  test.each(WRONG)('creation with %j is rejected and creates nothing', async (fields, param) => {
    const body = { url: NOWHERE, events: ['*'], ...fields };
    expect(await refusal('POST', '', body)).toBe(`400 validation_error ${param}`);
    expect((await gw.webhooks<Page>('GET', '')).body.total).toBe(0);
  });

  test('a change with an invalid field is rejected and changes nothing', async () => {
    const { id } = await gw.createWebhook(NOWHERE, { enabled: false });
    const row = await gw.webhook(id);
    for (const [fields, param] of WRONG)
      expect([fields, await refusal('PATCH', `/${row.id}`, fields)]).toEqual([fields, `400 validation_error ${param}`]);
    expect(await gw.webhook(row.id)).toEqual(row);
    expect((await gw.audited(row.id)).map(({ action }) => action)).toEqual(['webhook.created']);
  });

  test.each([
    [{ events: ['*'] }, 'url'],
    [{ url: NOWHERE }, 'events'],
    [undefined, 'url'],
  ])('creation with only %j is rejected, because a required field is missing', async (body, param) => {
    expect(await refusal('POST', '', body)).toBe(`400 validation_error ${param}`);
  });

  test('malformed JSON returns 400 invalid_json, and an array returns 400 invalid_type', async () => {
    expect(await refusal('POST', '', '{"url":')).toBe('400 invalid_json');
    expect(await refusal('POST', '', '[]')).toBe('400 invalid_type');
  });

  test('a URL of 2,000 characters is accepted', async () => {
    const url = `https://example.com/${'x'.repeat(1980)}`;
    expect((await gw.createWebhook(url)).url).toBe(url);
  });
});

describe('private webhook target', () => {
  const PRIVATE = [
    'http://127.0.0.1:9/',
    'http://localhost/',
    'http://2130706433/',
    'http://[::1]/',
    'http://intranet/',
    'http://a.local/',
  ];

  test.each(PRIVATE)('%s is rejected on creation and on change', async (url) => {
    expect(await refusal('POST', '', { url, events: ['*'] }, strict)).toBe('400 validation_error url');
    const { id } = await strict.createWebhook(NOWHERE, { enabled: false });
    expect(await refusal('PATCH', `/${id}`, { url }, strict)).toBe('400 validation_error url');
    expect((await strict.webhook(id)).url).toBe(NOWHERE);
  });

  test.each(PRIVATE)('%s is accepted with GW_WEBHOOK_ALLOW_PRIVATE', async (url) => {
    expect((await gw.createWebhook(url)).url).toBe(url);
  });

  test('a stored private URL is blocked at delivery', async () => {
    const { id } = await strict.createWebhook(NOWHERE);
    await strict.query('update webhooks set url = $2 where id = $1', [id, `${receiver.url}/strict`]);
    expect((await strict.webhooks('POST', `/${id}/test`)).status).toBe(202);
    const row = await strict.newest(id, ({ attempts }) => attempts === 1);
    expect(row).toMatchObject({ status: 'pending', response_status: null });
    expect(row.response_excerpt).toBe('[no response: the address is not public]');
    expect(receiver.at('/strict')).toEqual([]);
  });
});

describe('PATCH /admin/webhooks/{id}', () => {
  test('changes only the given fields and keeps the secret', async () => {
    const made = await gw.createWebhook(`${receiver.url}/before`);
    const url = `${receiver.url}/patched`;
    const { secret, ...row } = made;
    const changed = await gw.webhooks<WebhookRow>('PATCH', `/${row.id}`, { url, events: ['key_rotated'] });
    expect([changed.status, changed.body]).toEqual([200, { ...row, url, events: ['key_rotated'], updated_at: TIME }]);
    expect(Date.parse(changed.body.updated_at)).toBeGreaterThan(Date.parse(row.updated_at));
    await gw.publish({ type: 'key_revoked', data: {} });
    await gw.publish({ type: 'key_rotated', data: {} });
    await gw.newest(row.id, ({ status }) => status === 'delivered');
    expect([receiver.at('/before'), receiver.at('/patched').map(({ body }) => body.type)]).toEqual([
      [],
      ['key_rotated'],
    ]);
    expect(isSigned(receiver.at('/patched')[0]!, secret)).toBe(true);
  });

  test('a request that changes nothing gets 200 and is not audited', async () => {
    const row = await gw.webhook((await gw.createWebhook(NOWHERE)).id);
    for (const body of [{}, undefined, { enabled: true }, { url: NOWHERE, events: ['*'] }]) {
      const response = await gw.webhooks('PATCH', `/${row.id}`, body);
      expect([response.status, response.body]).toEqual([200, row]);
    }
    expect(await gw.audited(row.id)).toHaveLength(1);
  });
});
