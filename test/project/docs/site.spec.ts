import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
// @ts-expect-error The site is plain JavaScript.
import { siteLink, sourcePages } from '../../../site/pages.js';
// @ts-expect-error The site is plain JavaScript.
import { SECTIONS } from '../../../site/sidebar.data.js';

const sections = SECTIONS as readonly { readonly text: string; readonly pages: readonly (string | string[])[] }[];
const listed = sections.flatMap(({ pages }) => pages.flat());

describe('the sidebar of the site', () => {
  test('the sidebar has every page exactly once', () => {
    const expected = (sourcePages() as string[]).filter((page) => page !== 'README.md');
    expect(listed.toSorted()).toEqual(expected.toSorted());
  });

  test('the sidebar names only files that exist', () => {
    expect(listed.filter((page) => !existsSync(page))).toEqual([]);
  });
});

test.each([
  ['README.md', '/'],
  ['SECURITY.md', '/SECURITY.html'],
  ['docs/limits.md', '/limits.html'],
  ['docs/behaviour/models.md', '/behaviour/models.html'],
  ['docs/adr/README.md', '/adr/'],
])('the site has the file %s at %s', (file, link) => {
  expect(siteLink(file)).toBe(link);
});

/** Tables that are generated, and the list of all changes. */
const LONG_PAGES = ['CHANGELOG.md', 'docs/settings.md', 'docs/kubernetes/values.md', 'docs/licences.md'];

test('no page has more than 2000 words, except generated references and the changelog', () => {
  const wordsOf = (page: string) =>
    readFileSync(page, 'utf8')
      .split(/\s+/)
      .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  const others = (sourcePages() as string[]).filter((page) => !LONG_PAGES.includes(page));
  expect(others.filter((page) => wordsOf(page) > 2000)).toEqual([]);
});
