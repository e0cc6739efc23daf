import { literalCode, projectLinks, rowAnchors, slugOf } from '../markdown.js';
import { ROOT, sidebar, sitePage, sourcePages } from '../pages.js';

/** Address of the repository. A GitHub workflow sets the variables. Without them, the site has no edit links. */
const { GITHUB_SERVER_URL, GITHUB_REPOSITORY, DOCS_BASE = '/' } = process.env;
const repository = GITHUB_SERVER_URL && GITHUB_REPOSITORY ? `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}` : undefined;
const pages = new Set(sourcePages());

export default {
  title: 'Inference gateway',
  description: 'Documentation of the inference gateway',
  lang: 'en-US',
  base: DOCS_BASE,
  srcDir: ROOT,
  srcExclude: ['{.*,bench,dashboard,deploy,dist,migrations,sandbox,site,src,test,tools}/**'],
  rewrites: Object.fromEntries([...pages].map((page) => [page, sitePage(page)])),
  outDir: `${ROOT}/dist/site`,
  cacheDir: `${ROOT}/.cache/site`,
  markdown: {
    anchor: { slugify: slugOf },
    config(md) {
      md.use(projectLinks, repository);
      md.use(rowAnchors);
      md.use(literalCode);
    },
  },
  themeConfig: {
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: 'local' },
    ...(repository && { editLink: { pattern: `${repository}/edit/main/:path`, text: 'Edit this page' } }),
  },
};
