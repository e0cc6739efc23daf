import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { AUDIT_ACTIONS } from '../../../src/audit/audit-action.data.js';
import { SETTINGS } from '../../../src/platform/config/settings.data.js';
import { ERROR_CODES } from '../../../src/platform/errors/error-code.data.js';

const read = (file: string) => readFileSync(file, 'utf8');
describe('docs/behaviour/', () => {
  test('the error table lists exactly the error codes with their status and type', () => {
    const page = read('docs/behaviour/streaming-and-errors.md');
    const rows = page.slice(page.indexOf('<a id="errors"></a>')).matchAll(/^\| `(\w+)` +\| (\d+) +\| `(\w+)` +\|/gm);
    const listed = Array.from(rows, ([, code, status, type]) => [code, Number(status), type]);
    const codes = Object.entries(ERROR_CODES).map(([code, { status, type }]) => [code, status, type]);
    expect(listed.toSorted()).toEqual(codes.toSorted());
  });

  test('the page about the admin API lists every audit action', () => {
    const page = read('docs/behaviour/admin-api.md');
    expect(AUDIT_ACTIONS.filter((action) => !page.includes(`\`${action}\``))).toEqual([]);
  });

  test('every rule number that the code cites is in the index and is the anchor of a heading', () => {
    const links = read('docs/behaviour.md').matchAll(/^\| \[(D\d+)\]\((behaviour\/[\w-]+\.md)#(d\d+)\)/gm);
    const listed = Array.from(links, ([, number = '', page = '', anchor = '']) => {
      expect(anchor).toBe(number.toLowerCase());
      expect(read(`docs/${page}`)).toMatch(new RegExp(`<a id="${anchor}"></a>\\n\\n## .+\\n`));
      return number;
    });
    const sources = globSync('{src,test}/**/*.ts').map(read).join('\n');
    const cited = new Set(sources.match(/\bD(?:[1-9]|[1-4]\d)\b/g));
    expect([...cited].filter((number) => !listed.includes(number))).toEqual([]);
  });
});

/** Returns the anchors of a page on GitHub, from headings and from `<a id>`. */
function anchorsOf(markdown: string): Set<string> {
  const text = markdown.replace(/^```.*?^```/gms, '');
  const headings = Array.from(text.matchAll(/^#+ (.+)$/gm), ([, heading = '']) => heading.toLowerCase());
  const slugs = headings.map((heading) => heading.replace(/[^\p{L}\p{N}_\- ]/gu, '').replaceAll(' ', '-'));
  return new Set([...slugs, ...Array.from(text.matchAll(/<a id="([^"]+)">/g), ([, id = '']) => id)]);
}

test.each(globSync(['*.md', 'docs/**/*.md']))('every relative link in %s has an existing target', (file) => {
  const targets = Array.from(read(file).matchAll(/\]\(([^)\s:]+)\)/g), ([, target = '']) => target.split('#'));
  const broken = targets.filter(([path = '', anchor]) => {
    const target = path === '' ? file : join(dirname(file), path);
    if (!existsSync(target)) return true;
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(read(target)).has(anchor);
  });
  expect(broken).toEqual([]);
});

test('the error catalog has a factory for every error code', () => {
  const catalog = read('src/platform/errors/error-factories.ts');
  expect(Object.keys(ERROR_CODES).filter((code) => !catalog.includes(`'${code}'`))).toEqual([]);
});

test('every setting is used', () => {
  const sources = globSync('src/**/*.ts', { exclude: ['src/platform/config/settings*.ts'] })
    .map(read)
    .join('\n');
  expect(Object.keys(SETTINGS).filter((name) => !new RegExp(`\\b${name}\\b`).test(sources))).toEqual([]);
});
