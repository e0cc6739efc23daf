import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { COMPLETE, fileOf, MARKER, parse, sourcesWith } from '../../../../platform/config/upstreams/upstreams-text.js';

const modelId = fc.stringMatching(/^[a-z][a-z0-9.:/-]{0,20}$/);
const oneLine = fc
  .string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
  .filter((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text));
const secret = fc.constantFrom({ env: 'OPENAI_API_KEY' }, { file: '/run/header' }, { file: 'secrets/anthropic' });
const optional = <T extends Record<string, fc.Arbitrary<unknown>>>(fields: T) =>
  fc.record(fields, { requiredKeys: [] });

const upstream = fc
  .record({
    base_url: fc.constantFrom('https://a.example/v1', 'http://[::1]:8080/', 'https://b.example/a//b/'),
    rest: optional({
      apis: fc.constantFrom(['openai'], ['anthropic'], ['anthropic', 'openai']),
      credential: fc
        .record({ secret, header: fc.constantFrom('authorization', 'x-api-key', 'api-key') })
        .map(({ secret: source, header }) => ({ ...source, header })),
      headers: fc.dictionary(
        fc.stringMatching(/^x-[a-z]{1,8}$/),
        fc.oneof(fc.stringMatching(/^[ -~]{1,30}$/), secret),
        { maxKeys: 5 },
      ),
      query: fc.dictionary(oneLine, oneLine, { maxKeys: 5 }),
      proxy: fc.constantFrom('off', 'proxy.example:3128', 'http://user:long-password@proxy.example'),
      timeouts: optional({
        connect_ms: fc.integer({ min: 1, max: 3_600_000 }),
        idle_ms: fc.integer({ min: 1, max: 86_400_000 }),
      }),
      connections: fc.integer({ min: 1, max: 100_000 }),
      models: fc.oneof(fc.constant('catalog'), fc.uniqueArray(modelId, { minLength: 1, maxLength: 20 })),
      aliases: fc.dictionary(
        modelId.map((id) => `alias-${id}`),
        modelId,
        { maxKeys: 5 },
      ),
      region: oneLine,
      tags: fc.uniqueArray(oneLine, { maxLength: 5 }),
      repeat_sent: fc.boolean(),
    }),
  })
  .map(({ base_url, rest }) => ({ base_url, ...rest }));

const file = fc.array(upstream, { minLength: 1, maxLength: 5 }).chain((upstreams) =>
  fc.record({
    upstreams: fc.constant(upstreams.map((each, index) => ({ name: `u${index}`, ...each }))),
    routes: fc
      .array(
        fc.record({
          models: modelId.map((id) => `${id}*`),
          upstreams: fc
            .boolean()
            .map((weighted) =>
              upstreams.map((_, index) => (weighted ? { name: `u${index}`, weight: index + 1 } : `u${index}`)),
            ),
          sticky: fc.constantFrom('none', 'key', 'conversation'),
        }),
        { maxLength: 3 },
      )
      .map((routes) => [...new Map(routes.map((route) => [route.models, route])).values()]),
  }),
);

const contentOf = (text: string) => ({ ...fileOf(text), digest: '' });

describe('random files', () => {
  test('a valid file means the same in YAML and in JSON', () => {
    fc.assert(
      fc.property(file, (value) => {
        const fromJson = contentOf(JSON.stringify(value));
        expect(contentOf(JSON.stringify(value, null, 2))).toEqual(fromJson);
        expect(contentOf(stringify(value, { aliasDuplicateObjects: false }))).toEqual(fromJson);
        expect(fromJson.upstreams.map(({ name }) => name)).toEqual(value.upstreams.map(({ name }) => name));
      }),
      { numRuns: 100 },
    );
  });

  const cut = fc.record({
    from: fc.nat(),
    length: fc.nat({ max: 30 }),
    text: fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.constantFrom('- ', ': ', '\n', '{', ']', '"', '*a', '!x ', '&a ', 'null', '\n  '),
    ),
  });

  test('a damaged file throws no error, and its problems are lines with a place and without secrets', () => {
    const line = /^\/etc\/gateway\/upstreams\.yaml:(\d+:\d+:| and \d+ more problems?\.$)/;
    fc.assert(
      fc.property(fc.array(cut, { minLength: 1, maxLength: 4 }), fc.boolean(), (cuts, production) => {
        let text = COMPLETE.replace('p%40ss-word', `${MARKER}-of-proxy`);
        for (const { from, length, text: inserted } of cuts) {
          const at = from % text.length;
          text = text.slice(0, at) + inserted + text.slice(at + length);
        }
        const result = parse(text, sourcesWith({}, production));
        if ('file' in result) return;
        expect(result.problems.length).toBeGreaterThan(0);
        for (const problem of result.problems) {
          if (!line.test(problem) || /[\r\n]/.test(problem) || problem.includes(MARKER))
            throw new Error(`an unexpected problem: ${JSON.stringify(problem)}`);
        }
      }),
      { numRuns: 600 },
    );
  });

  test('a value of any kind in any place is a problem or valid, and throws no error', () => {
    const places = [
      'upstreams',
      'routes',
      'name',
      'base_url',
      'apis',
      'credential',
      'env',
      'file',
      'header',
      'headers',
      'query',
      'proxy',
      'tls',
      'timeouts',
      'connections',
      'models',
      'aliases',
      'region',
      'tags',
      'repeat_sent',
      'weight',
      'sticky',
    ];
    fc.assert(
      fc.property(
        file,
        fc.constantFrom(...places),
        fc.anything({ withNullPrototype: false }),
        (value, place, other) => {
          const text = JSON.stringify(value, (name, inner: unknown) => (name === place ? other : inner));
          const result = parse(text);
          if ('problems' in result) expect(result.problems.join('\n')).not.toContain(MARKER);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('many wrong fields cause a short report', () => {
    const text = Array.from({ length: 50_000 }, (_, at) => `field-${at}: 1\n`).join('');
    expect(parse(text)).toMatchObject({ problems: { length: 21 } });
  });

  test('a large file is read', () => {
    const models = Array.from({ length: 900 }, (_, at) => `      - model-${at}\n`).join('');
    const upstreams = Array.from(
      { length: 60 },
      (_, at) => `  - name: u${at}\n    base_url: https://a.example\n    models:\n${models}`,
    );
    const text = `upstreams:\n${upstreams.join('')}`;
    expect(text.length).toBeGreaterThan(700_000);
    expect(fileOf(text).upstreams).toHaveLength(60);
  });
});
