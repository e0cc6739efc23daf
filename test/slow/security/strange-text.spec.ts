import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { errorIn } from '../../support/responses.js';
import { TestGateway, type Response, type Key } from '../../support/gateway.js';
import { createOperator, OPERATOR_PASSWORD, signIn } from '../../support/operator-session.js';

/** Texts that can cause problems in a database, a log, a terminal or a header, or that mislead a reader. */
const STRANGE: Readonly<Record<string, string>> = {
  'a NUL': 'a\0b',
  'an unpaired high surrogate': 'a\ud800b',
  'an unpaired low surrogate': '\udfffa',
  'a right-to-left override': 'admin\u202egnp.exe',
  'unclosed isolates': '\u2066\u2067a',
  'zero-width characters': 'ad\u200bmin\u200d\ufeff',
  'a leading byte order mark': '\ufeffname',
  'a combining accent': 'e\u0301',
  'a composed accent': '\u00e9',
  'a hundred accents': `a${'\u0301'.repeat(100)}`,
  'full-width letters': 'ａｄｍｉｎ',
  'line ends': 'a\r\nSet-Cookie: x=y\r\n\r\nb',
  'Unicode line separators': 'a\u2028b\u2029c\u0085d',
  'terminal escapes': '\u001b]0;x\u0007\u001b[2J',
  'control characters': '\u0001\u0008\u007f\u009b',
  'an emoji of seven code points': '👩‍👩‍👧‍👦',
  'a private-use character': '\u{10fffd}',
  noncharacters: '\uffff\ufdd0',
  SQL: `'; drop table api_keys; --`,
  'a template': '${process.env.GW_ADMIN_KEY}{{7+7}}<%= 1 %>%s%n',
  'a path': '../../etc/passwd',
  'a log line': 'x"}\n{"level":"fatal","msg":"forged"',
};
const NEVER_STORED = ['a NUL', 'an unpaired high surrogate', 'an unpaired low surrogate'];

let gateway: TestGateway;
let key: Key;
beforeAll(async () => {
  gateway = await TestGateway.start({ GW_WEBHOOK_ALLOW_PRIVATE: 'true', GW_TRUST_PROXY: '127.0.0.1' });
  key = await gateway.createKey();
});
afterAll(() => gateway.stop());

const refusal = (response: Response) => `${response.status} ${errorIn(response).code} ${errorIn(response).param}`;

describe.each(Object.entries(STRANGE))('unusual text: %s', (what, text) => {
  const storable = !NEVER_STORED.includes(what);

  test('a key name is stored unchanged or rejected, can be searched for, and is escaped in a header', async () => {
    const made = await gateway.admin<{ id: string; key: string; name: string }>('POST', '/admin/api-keys', {
      name: text,
    });
    if (!storable) return expect(refusal(made)).toBe('400 validation_error name');
    expect([made.status, made.body.name]).toEqual([201, text]);
    const found = await gateway.admin<{ keys: { id: string }[] }>(
      'GET',
      `/admin/api-keys?name=${encodeURIComponent(text)}`,
    );
    expect(found.body.keys.map(({ id }) => id)).toEqual([made.body.id]);
    const { status, headers } = await gateway.call('GET', '/v1/usage', { key: made.body.key });
    expect([status, headers.get('set-cookie')]).toEqual([200, null]);
    expect(headers.get('x-gw-key-name')).toMatch(/^[\x20-\x7e]+$/);
  });

  test('text in any other field is stored unchanged or rejected with the name of the field', async () => {
    const writes: readonly [string, string, object, string][] = [
      ['PATCH', `/admin/api-keys/${key.id}`, { name: text }, 'name'],
      ['POST', '/admin/model-allowlist', { model: 'gpt-4o-mini', enabled: true, note: text }, 'note'],
      ['POST', '/admin/model-allowlist', { model: text, enabled: true }, 'model'],
      ['POST', '/admin/api-keys', { name: 'x', allowed_models: [text] }, 'allowed_models'],
    ];
    for (const [method, path, body, param] of writes) {
      const response = await gateway.admin(method, path, body);
      if (storable)
        expect([param, response.status < 300, response.text.includes(JSON.stringify(text))]).toEqual([
          param,
          true,
          true,
        ]);
      else expect([param, refusal(response)]).toEqual([param, expect.stringMatching(`^400 validation_error ${param}`)]);
    }
    await gateway.admin('DELETE', '/admin/model-allowlist/gpt-4o-mini');
    await gateway.admin('PATCH', `/admin/api-keys/${key.id}`, { name: 'x' });
  });

  test('a name and email of an operator are stored or rejected, and sign-in never causes a 500', async () => {
    const email = `${text}.${Object.keys(STRANGE).indexOf(what)}@example.com`;
    const made = await gateway.admin('POST', '/admin/operators', {
      email,
      name: text,
      role: 'viewer',
      password: OPERATOR_PASSWORD,
    });
    expect([201, 400]).toContain(made.status);
    const headers = { 'x-forwarded-for': `203.0.113.${Object.keys(STRANGE).indexOf(what)}` };
    expect((await signIn(gateway, email, OPERATOR_PASSWORD, headers)).status).toBe(made.status === 201 ? 200 : 401);
    expect((await signIn(gateway, email, text, headers)).status).toBe(401);
  });

  test('an unusual model gets model_not_available and is not forwarded', async () => {
    gateway.upstream.reset();
    const response = await gateway.chat(key, { model: text });
    expect([response.status, errorIn(response).code]).toEqual([403, 'model_not_available']);
    expect(gateway.upstream.requests).toEqual([]);
  });

  test('a search, a filter or an ID with unusual text never causes a 500', async () => {
    const sent = encodeURIComponent(text.toWellFormed());
    for (const path of [
      `/admin/api-keys?name=${sent}`,
      `/admin/model-allowlist?search=${sent}`,
      `/admin/audit-logs?target_id=${sent}`,
      `/admin/request-logs?model=${sent}`,
      `/admin/key-stats?model=${sent}`,
      `/admin/api-keys/${sent}`,
      `/admin/model-allowlist/${sent}`,
      `/admin/webhooks/${sent}`,
      `/admin/api-keys?${sent}=1`,
    ]) {
      const { status } = await gateway.admin('GET', path);
      expect([path, [200, 400, 404].includes(status)]).toEqual([path, true]);
    }
    for (const path of [`/v1/models?search=${sent}`, `/v1/models/${sent}`, `/v1/files/${sent}`]) {
      const { status } = await gateway.call('GET', path, { key });
      expect([path, [200, 400, 404].includes(status)]).toEqual([path, true]);
    }
  });
});

describe('texts that look alike', () => {
  test('model names that look alike are different models', async () => {
    const [composed, combined] = ['caf\u00e9', 'cafe\u0301'];
    await gateway.admin('POST', '/admin/model-allowlist', { model: composed, enabled: true });
    expect((await gateway.admin('GET', `/admin/model-allowlist/${encodeURIComponent(combined)}`)).status).toBe(404);
    const listed = await gateway.createKey({ allowed_models: ['gpt-4o-mini'] });
    for (const model of [
      'gpt-4o-mini\u200b',
      'gpt\u20114o-mini',
      'GPT-4O-MINI',
      ' gpt-4o-mini',
      'gpt-4o-mini\0',
      'ｇpt-4o-mini',
    ])
      expect([model, (await gateway.chat(listed, { model })).status]).toEqual([model, 403]);
  });

  test('emails that differ only in case belong to the same operator', async () => {
    await createOperator(gateway, 'viewer', { email: 'Case@Example.com' });
    const again = { email: 'case@example.COM', name: 'x', role: 'owner', password: OPERATOR_PASSWORD };
    expect(refusal(await gateway.admin('POST', '/admin/operators', again))).toBe('400 validation_error email');
  });
});

describe('long texts', () => {
  test.each([255, 256])('a name of %d characters is measured in code points', async (length) => {
    for (const character of ['a', 'ö', '漢', '😀']) {
      const { status } = await gateway.admin('POST', '/admin/api-keys', { name: character.repeat(length) });
      expect([character, status]).toEqual([character, length === 255 ? 201 : 400]);
    }
  });

  test('a text of 1 MB is rejected in every field', async () => {
    const long = 'x'.repeat(1_000_000);
    for (const [method, path, body] of [
      ['POST', '/admin/api-keys', { name: long }],
      ['POST', '/admin/api-keys', { name: 'x', allowed_models: [long] }],
      ['POST', '/admin/api-keys', { name: 'x', expires_at: long }],
      ['POST', '/admin/model-allowlist', { model: long, enabled: true }],
      ['POST', '/admin/webhooks', { url: `https://${long}.example/`, events: ['*'] }],
      ['POST', '/admin/webhooks', { url: 'https://a.example/', events: [long] }],
      [
        'POST',
        '/admin/operators',
        { email: `${long}@example.com`, name: 'x', role: 'viewer', password: OPERATOR_PASSWORD },
      ],
      ['POST', '/admin/operators', { email: 'a@example.com', name: 'x', role: 'viewer', password: long }],
      ['POST', '/admin/api-keys/bulk-revoke', { ids: [long] }],
    ] as const)
      expect([path, (await gateway.admin(method, path, body)).status]).toEqual([path, 400]);
  });
});
