// The pages of the site are the Markdown files in `docs` and some files of the root folder.
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SECTIONS } from './sidebar.data.js';

export const ROOT = resolve(import.meta.dirname, '..');
const ROOT_PAGES = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];

/** Returns the paths of all pages, relative to the root folder. */
export const sourcePages = () => [...ROOT_PAGES, ...globSync('docs/**/*.md', { cwd: ROOT })];

/** `docs/limits.md` becomes `limits.md`, and each `README.md` the index of its folder. */
export const sitePage = (source) => source.replace(/^docs\//, '').replace(/README\.md$/, 'index.md');

export const siteLink = (source) => `/${sitePage(source).replace(/(?<=^|\/)index\.md$/, '')}`.replace(/\.md$/, '.html');

const titleOf = (source) => {
  const [, title = source] = /^# (.+)$/m.exec(readFileSync(join(ROOT, source), 'utf8')) ?? [];
  return title.replaceAll('`', '');
};

export const sidebar = () =>
  SECTIONS.map(({ text, pages }, at) => ({ text, collapsed: at > 0, items: pages.map(entryOf) }));

function entryOf(entry) {
  const [source, ...below] = [entry].flat();
  const link = { text: titleOf(source), link: siteLink(source) };
  return below.length === 0 ? link : { ...link, collapsed: true, items: below.map(entryOf) };
}
