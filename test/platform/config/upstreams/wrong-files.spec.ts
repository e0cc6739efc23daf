import { describe, expect, test } from '@jest/globals';
import { ENTRY, FIELDS, NAMES, ROUTES, STRUCTURE, SYNTAX, URL_PROBLEM, URLS } from './wrong-files.data.js';
import { COMPLETE, MARKER, parse, problemsOf, sourcesWith } from './upstreams-text.js';

describe('an invalid file', () => {
  test.each(SYNTAX)('the syntax %j has one line for each problem, with its place and a remedy', (text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  test.each(STRUCTURE)(
    'the structure %j has one line for each problem, with its place and a remedy',
    (text, problems) => {
      expect(problemsOf(text)).toEqual(problems);
    },
  );

  test.each(FIELDS)('the field %s has one line for each problem, with its place and a remedy', (field, problems) => {
    expect(problemsOf(`${ENTRY}    ${field}\n`)).toEqual(problems);
  });

  test.each(URLS)('the base_url %s is rejected with its place and a remedy', (url) => {
    const problems = problemsOf(`upstreams:\n  - name: a\n    base_url: ${url}`);
    expect(problems).toEqual([`3:15: upstreams[0].base_url: ${URL_PROBLEM}`]);
  });

  test.each(NAMES)('the name %s is rejected with its place and a remedy', (name, problems) => {
    expect(problemsOf(`upstreams:\n  - name: ${name}\n    base_url: https://a.example`)).toEqual(problems);
  });

  test.each(ROUTES)('the route %s has one line for each problem, with its place and a remedy', (route, problems) => {
    const upstreams = `${ENTRY}    models: [m]\n  - { name: openai, base_url: https://b.example }\n`;
    expect(problemsOf(`${upstreams}routes:\n  - ${route}\n`)).toEqual(problems);
  });

  test('each repetition of a name is reported with its place and a remedy', () => {
    const repeated = '  - { name: a, base_url: https://b.example }\n';
    expect(problemsOf(ENTRY + repeated + repeated)).toEqual([
      '4:13: upstreams[1].name: is also the name of upstreams[0]. Choose another name for one of them.',
      '5:13: upstreams[2].name: is also the name of upstreams[0]. Choose another name for one of them.',
    ]);
  });
});

describe('all problems', () => {
  test('problems of fields, secrets and routes are reported at once, in the order of the file', () => {
    const text = COMPLETE.replace('OPENAI_API_KEY', 'MISSING')
      .replace('connections: 256', 'connections: many')
      .replace('gpt-5, gpt-5-mini]', 'gpt-5, gpt-5-mini, gpt-5]')
      .replace('secrets/anthropic', 'secrets/missing')
      .replace('models: claude-5', 'model: claude-5')
      .replace('upstreams: [openai, anthropic]', 'upstreams: [openai, antropic]');
    expect(problemsOf(text).map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      '6:12: upstreams[0].credential.env:',
      '15:18: upstreams[0].connections:',
      '16:33: upstreams[0].models[2]:',
      '24:25: upstreams[1].credential.file:',
      '28:25: routes[0].upstreams[1]:',
      '30:5: routes[1].models:',
      '30:5: routes[1].model:',
    ]);
  });

  test('problems after the twentieth are only counted', () => {
    const problems = problemsOf(`upstreams: [${'5, '.repeat(25)}5]`);
    expect(problems).toHaveLength(21);
    expect(problems.at(-1)).toBe(' and 6 more problems.');
  });

  test('all problems start with the path of the file', () => {
    expect(parse('upstreams: []')).toMatchObject({
      problems: ['/etc/gateway/upstreams.yaml:1:12: upstreams: is empty. Add an entry.'],
    });
  });

  test('problems never contain a value from the file or a secret', () => {
    const texts = [...SYNTAX, ...STRUCTURE].map(([text]) => text);
    const fields = FIELDS.map(([field]) => `${ENTRY}    ${field}\n`);
    const urls = URLS.map((url) => `upstreams:\n  - name: a\n    base_url: ${url}`);
    for (const text of [...texts, ...fields, ...urls]) expect(problemsOf(text).join('\n')).not.toContain(MARKER);
  });
});

describe('bounds', () => {
  const upstream = (index: number, rest = '') => `{name: u${index}, base_url: "https://a.example"${rest}}`;
  const file = (count: number) => `upstreams: [${Array.from({ length: count }, (_, at) => upstream(at)).join(', ')}]`;
  const one = (rest: string) => `upstreams: [${upstream(0, rest)}]`;
  const names = (count: number) => Array.from({ length: count }, (_, at) => `m${at}`);
  const routes = (count: number) =>
    `${file(1)}\nroutes: [${names(count)
      .map((name) => `{models: ${name}, upstreams: [u0]}`)
      .join(', ')}]`;
  const aliases = (count: number) =>
    one(
      `, aliases: {${names(count)
        .map((name) => `${name}: x`)
        .join(', ')}}`,
    );

  test.each([
    [file(64), file(65), '1:12: upstreams: has more than 64 entries. Remove some.'],
    [routes(256), routes(257), '2:9: routes: has more than 256 entries. Remove some.'],
    [
      one(`, models: [${names(1000).join(', ')}]`),
      one(`, models: [${names(1001).join(', ')}]`),
      '1:63: upstreams[0].models: has more than 1000 entries. Remove some.',
    ],
    [aliases(1000), aliases(1001), '1:64: upstreams[0].aliases: has more than 1000 entries. Remove some.'],
  ])('the largest allowed list is valid, and one more entry is not (%#)', (largest, tooLarge, problem) => {
    expect(problemsOf(largest)).toEqual([]);
    expect(problemsOf(tooLarge)).toEqual([problem]);
  });

  test('a file that is nested too deeply is reported as one problem', () => {
    expect(problemsOf('['.repeat(100_000))).toEqual([
      expect.stringMatching(/^1:\d+: The file is nested too deeply\. Remove the surplus brackets\.$/),
    ]);
  });

  test('development has the same problems, except for short secrets', () => {
    const short = `${ENTRY}    credential: {env: SHORT}\n`;
    expect([problemsOf(short).length, problemsOf(short, sourcesWith({}, false)).length]).toEqual([1, 0]);
    expect(problemsOf('upstreams: []', sourcesWith({}, false))).toHaveLength(1);
  });
});
