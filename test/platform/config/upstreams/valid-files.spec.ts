import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse as parseYaml } from 'yaml';
import {
  isUpstreamsMessage,
  stateOfMessage,
  upstreamsMessage,
} from '../../../../src/platform/config/upstreams/upstreams-message.rules.js';
import { UPSTREAMS_SCHEMA } from '../../../../src/platform/config/upstreams/upstreams-schema.data.js';
import { CertificateAuthority } from '../../../support/certificates.js';
import { COMPLETE, fileOf, MARKER, problemsOf, sourcesWith } from './upstreams-text.js';

type Schema = Readonly<Record<string, unknown>>;

const ONE = 'upstreams: [{name: a, base_url: "https://a.example/v1"}]';

describe('the schema', () => {
  test('docs/upstreams.schema.json matches the code', () => {
    expect(JSON.parse(readFileSync('docs/upstreams.schema.json', 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(UPSTREAMS_SCHEMA)),
    );
  });

  test('every field has a description and an error message', () => {
    const described: unknown[] = [];
    const check = (schema: Record<string, unknown>): void => {
      for (const [name, field] of Object.entries(
        (schema['properties'] ?? {}) as Record<string, Record<string, unknown>>,
      )) {
        expect({ name, ...field }).toMatchObject({
          description: expect.stringMatching(/\.$/),
          errorMessage: expect.stringMatching(/\.$/),
        });
        described.push(name);
        check(field);
      }
      for (const part of [schema['items'], schema['additionalProperties'], ...((schema['anyOf'] ?? []) as unknown[])])
        if (typeof part === 'object') check(part as Record<string, unknown>);
    };
    check(UPSTREAMS_SCHEMA);
    expect(described.length).toBeGreaterThan(30);
  });
});

describe('docs/upstreams.md', () => {
  const page = readFileSync('docs/upstreams.md', 'utf8');

  test('docs/upstreams.md has a valid example', () => {
    const [, example = ''] = /```yaml\n([^]*?)```/.exec(page) ?? [];
    const text = example.replaceAll('ANTHROPIC_API_KEY', 'OPENAI_API_KEY');
    expect(fileOf(text, sourcesWith({ '/run/secrets/azure': `${MARKER}-of-azure` })).upstreams).toHaveLength(3);
  });

  test('docs/upstreams.md describes every field', () => {
    const fields = (schema: Schema, prefix: string): string[] =>
      Object.entries((schema['properties'] ?? {}) as Record<string, Schema>).flatMap(([name, field]) => {
        if (name === 'env' || name === 'file') return [];
        const [item] = [field['items'], field].filter((each) => each !== undefined) as Schema[];
        return [`${prefix}${name}`, ...fields(item!, field['type'] === 'object' ? `${prefix}${name}.` : '')];
      });
    const objects = new Set(['timeouts', 'tls', 'fallbacks']);
    for (const field of fields(UPSTREAMS_SCHEMA, '').filter((name) => !objects.has(name)))
      expect(page).toContain(`| \`${field}\``);
  });
});

describe('a valid file', () => {
  test('a valid file has all fields, with resolved secrets and paths', () => {
    const { upstreams, routes, secrets, files } = fileOf(COMPLETE);
    expect(upstreams[0]).toMatchObject({
      name: 'openai',
      apis: ['openai'],
      credential: { value: `${MARKER}-of-openai`, header: null },
      headers: ['openai-organization', 'org-123', 'x-signature', `${MARKER}-of-header`],
      query: 'api-version=2025-04-01-preview&a%20b=%C3%A4%26%3D',
      proxy: 'http://user:p%40ss-word@proxy.example:3128',
      tls: { ca: null, certificate: null, key: null },
      connectMs: 5000,
      headMs: 600_000,
      idleMs: 300_000,
      connections: 256,
      models: ['gpt-5', 'gpt-5-mini'],
      aliases: new Map([['fast', 'gpt-5-mini']]),
      region: 'eu-west-1',
      tags: ['production'],
      repeatSent: true,
    });
    expect(upstreams[0]!.baseUrl.href).toBe('https://api.openai.com/v1');
    expect(upstreams[1]).toMatchObject({
      apis: ['anthropic', 'openai'],
      credential: { value: `${MARKER}-of-anthropic`, header: 'api-key' },
      proxy: 'off',
      models: 'catalog',
      repeatSent: false,
    });
    expect(routes).toEqual([
      {
        models: 'gpt-*',
        upstreams: [
          { name: 'openai', weight: null },
          { name: 'anthropic', weight: null },
        ],
        sticky: 'conversation',
        strategy: 'order',
        fallbacks: {},
      },
      {
        models: 'claude-5',
        upstreams: [
          { name: 'anthropic', weight: 3 },
          { name: 'openai', weight: 1 },
        ],
        sticky: 'none',
        strategy: 'weight',
        fallbacks: {},
      },
    ]);
    expect(files).toEqual(['/run/header', '/etc/gateway/secrets/anthropic']);
    for (const secret of [
      `${MARKER}-of-openai`,
      `${MARKER}-of-header`,
      `${MARKER}-of-anthropic`,
      'p@ss-word',
      'p%40ss-word',
    ])
      expect(secrets).toContain(secret);
    expect(secrets).not.toContain('org-123');
    expect(secrets).not.toContain('off');
  });

  test('a YAML file means the same as its JSON form', () => {
    const { digest, ...fromYaml } = fileOf(COMPLETE);
    const { digest: other, ...fromJson } = fileOf(
      JSON.stringify({ $schema: 'upstreams.schema.json', ...(parseYaml(COMPLETE) as object) }),
    );
    expect(fromJson).toEqual(fromYaml);
    expect(other).not.toBe(digest);
  });

  test('a file passes the channel between processes unchanged', () => {
    const state = { file: fileOf(COMPLETE), failed: true, failures: 3, loadedAt: new Date(5) };
    const received: unknown = JSON.parse(JSON.stringify(upstreamsMessage(state)));
    expect(isUpstreamsMessage(received) && stateOfMessage(received)).toEqual(state);
    expect(isUpstreamsMessage('stop') || isUpstreamsMessage({ reloaded: {} })).toBe(false);
  });

  test.each([
    'name: a',
    'region: "on"',
    'connections: 5e1',
    'tags: []',
    'models: []\n    aliases: {a: b}',
    'query: {}',
  ])('a valid file can have %s', (field) => {
    const rest = field.startsWith('name') ? '' : `    ${field}\n`;
    expect(problemsOf(`upstreams:\n  - name: a\n    base_url: https://a.example\n${rest}`)).toEqual([]);
  });

  test('development accepts a short secret, and production does not', () => {
    const text = ONE.replace('}', ', credential: {env: SHORT}}');
    expect(fileOf(text, sourcesWith({}, false)).upstreams[0]!.credential!.value).toBe('short');
    expect(problemsOf(text)).toEqual([
      expect.stringMatching(/credential: is a secret of fewer than 8 characters, which production does not accept\. /),
    ]);
  });
});

describe('the digest', () => {
  const text = 'upstreams: [{name: a, base_url: "https://a.example", headers: {x-a: {file: /run/a}}}]';
  const digests = (file: string, content: string) => {
    const { digest, upstreams } = fileOf(file, sourcesWith({ '/run/a': content }));
    return { file: digest, upstream: upstreams[0]!.digest };
  };

  test('the digest is the same for the same text and secrets', () => {
    expect(digests(text, 'a-long-secret')).toEqual(digests(text, 'a-long-secret'));
  });

  test('the digest changes with a secret', () => {
    const [one, other] = [digests(text, 'a-long-secret'), digests(text, 'another-secret')];
    expect([one.file === other.file, one.upstream === other.upstream]).toEqual([false, false]);
  });

  test('the digest of an upstream ignores comments', () => {
    const [one, other] = [digests(text, 'a-long-secret'), digests(`# comment\n${text}`, 'a-long-secret')];
    expect([one.file === other.file, one.upstream === other.upstream]).toEqual([false, true]);
  });
});

describe('TLS files', () => {
  let folder: string;
  let ca: CertificateAuthority;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-upstreams-'));
    ca = CertificateAuthority.create(folder, 'authority');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const withTls = (tls: string, files: Record<string, string>) =>
    [ONE.replace('}', `, tls: ${tls}}`), sourcesWith(files)] as const;

  test('TLS files are read relative to the folder of the file, and change the digest', () => {
    const [one, other] = [ca.issue('gateway'), ca.issue('gateway')];
    const read = ({ cert, key }: typeof one) =>
      fileOf(
        ...withTls('{ca: ca.pem, certificate: /tls/cert.pem, key: ../key.pem}', {
          '/etc/gateway/ca.pem': ca.cert,
          '/tls/cert.pem': cert,
          '/etc/key.pem': key,
        }),
      );
    expect(read(one).upstreams[0]!.tls).toEqual({
      ca: '/etc/gateway/ca.pem',
      certificate: '/tls/cert.pem',
      key: '/etc/key.pem',
    });
    expect(read(one).files).toEqual(['/etc/gateway/ca.pem', '/tls/cert.pem', '/etc/key.pem']);
    expect(read(one).secrets).toEqual([]);
    expect(read(one).digest).not.toBe(read(other).digest);
    expect(read(one).upstreams[0]!.digest).not.toBe(read(other).upstreams[0]!.digest);
  });

  test('a key of another certificate is a problem', () => {
    const files = { '/c': ca.issue('gateway').cert, '/k': ca.issue('gateway').key };
    expect(problemsOf(...withTls('{certificate: /c, key: /k}', files))).toEqual([
      '1:85: upstreams[0].tls.key: does not belong to the first certificate of tls.certificate. Use a matching pair.',
    ]);
  });

  test('missing and unusable files are reported', () => {
    expect(problemsOf(...withTls('{ca: /ca, certificate: /c, key: /k}', { '/c': 'x', '/k': ca.cert }))).toEqual([
      '1:67: upstreams[0].tls.ca: names a file that cannot be read (ENOENT). Use the path of a readable PEM file with one or more certificates.',
      '1:85: upstreams[0].tls.certificate: names a file that is not usable. Use the path of a readable PEM file with one or more certificates.',
      '1:94: upstreams[0].tls.key: names a file that is not usable. Use the path of a readable PEM file with a private key that is not encrypted.',
    ]);
  });
});
