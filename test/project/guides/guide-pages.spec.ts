import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseUpstreamsFile } from '../../../src/platform/config/upstreams/parse-upstreams.rules.js';
import { parseRegistryFile } from '../../../src/model-policy/registry/registry-file.js';
import { GuidePage, secretOf, variablesIn } from './guide-page.js';
import { GUIDES } from './guides.data.js';

const PAGES = globSync('docs/upstreams/*.md').map((path) => basename(path, '.md'));
const PROVIDERS = PAGES.filter((name) => name !== 'recipes');
const FILES = PAGES.flatMap((name) => new GuidePage(name).files.map((text, at) => [name, at + 1, text] as const));

const parsed = (text: string) =>
  parseUpstreamsFile(text, {
    path: '/etc/gateway/upstreams.yaml',
    production: true,
    env: Object.fromEntries(variablesIn(text).map((name) => [name, secretOf(name)])),
    readFile: (path) => Buffer.from(secretOf(path)),
  });

describe('the files of the guides', () => {
  test.each(FILES)('%s.md, file %s is valid in production', (_name, _number, text) => {
    expect(parsed(text)).toMatchObject({ file: { upstreams: expect.anything() } });
  });

  test('each file of a provider is tested with that provider', () => {
    const files = FILES.filter(([name]) => name !== 'recipes').map(([name, number]) => `${name} ${number}`);
    expect([...new Set(GUIDES.map(({ page, file }) => `${page} ${file + 1}`))].toSorted()).toEqual(files.toSorted());
  });
});

describe.each(PROVIDERS)('docs/upstreams/%s.md', (name) => {
  const page = new GuidePage(name);

  test('the guide is in the index', () => {
    expect(readFileSync('docs/upstreams.md', 'utf8')).toContain(`](upstreams/${name}.md)`);
  });

  test('the guide tests the upstream of its first file, with a model of this upstream', () => {
    const [first] = GUIDES.filter(({ page: of, file }) => of === name && file === 0);
    expect(page.testedUpstreams).toEqual([first!.upstream]);
    expect(first!.lists).toContain(page.request.body['model']);
  });
});

test('the recipes are in the index', () => {
  expect(readFileSync('docs/upstreams.md', 'utf8')).toContain('](upstreams/recipes.md)');
});

test('the registry entry for vLLM is valid', () => {
  const [entry = ''] = new GuidePage('vllm').blocks('json');
  expect([...parseRegistryFile(entry).keys()]).toEqual(['qwen3-8b']);
});
