// Adapts the Markdown files, which are written for the repository, to the site.
import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT, siteLink, sourcePages } from './pages.js';

/** The same anchors as in the repository. test/project/docs/behaviour.spec.ts checks links against them. */
export const slugOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');

/**
 * Points links between the files to pages of the site. Links to other files of the repository lead to `repository`. Without it, only
 * their text stays. A link to a missing file fails the build.
 */
export function projectLinks(md, repository) {
  const pages = new Set(sourcePages());
  md.core.ruler.push('project-links', ({ tokens, env }) => {
    const from = relative(ROOT, env.realPath ?? env.path);
    const links = tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => /^link_/.test(type));
    for (const [at, open] of links.entries()) {
      if (open.type !== 'link_open') continue;
      const href = open.attrGet('href');
      if (/^(?:[a-z]+:|#)/i.test(href)) continue;
      const target = targetOf(from, href, { pages, repository });
      if (target !== undefined) open.attrSet('href', target);
      else {
        open.attrs = null;
        open.tag = 'span';
        links[at + 1].tag = 'span';
      }
    }
  });
}

function targetOf(from, href, { pages, repository }) {
  const [path, anchor] = href.split('#');
  const file = join(dirname(from), path).replace(/\/$/, '');
  if (!existsSync(join(ROOT, file))) throw new Error(`${from} links to ${href}, which does not exist`);
  const isFolder = statSync(join(ROOT, file)).isDirectory();
  const page = isFolder ? join(file, 'README.md') : file;
  if (pages.has(page)) return anchor === undefined ? siteLink(page) : `${siteLink(page)}#${anchor}`;
  return repository === undefined ? undefined : `${repository}/${isFolder ? 'tree' : 'blob'}/main/${file}`;
}

/** Keeps Vue from evaluating `{{ }}` in code. */
export function literalCode(md) {
  md.core.ruler.push('literal-code', ({ tokens }) => {
    const inline = tokens.flatMap(({ children }) => children ?? []);
    for (const token of inline) if (token.type === 'code_inline') token.attrSet('v-pre', '');
  });
}

/** Gives a table row an anchor if its first cell is a name in code, such as an error code or a setting. */
export function rowAnchors(md) {
  md.core.ruler.push('row-anchors', ({ tokens }) => {
    const used = new Set();
    for (const [at, token] of tokens.entries()) {
      if (token.type !== 'tr_open' || tokens[at + 1]?.type !== 'td_open') continue;
      const cell = tokens[at + 2]?.children ?? [];
      const anchor = slugOf(cell[0]?.content ?? '');
      if (cell.length !== 1 || cell[0].type !== 'code_inline' || !/^\w+$/.test(anchor) || used.has(anchor)) continue;
      used.add(anchor);
      token.attrSet('id', anchor);
    }
  });
}
