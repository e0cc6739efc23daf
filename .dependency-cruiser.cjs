/** Import rules, described in docs/architecture.md. Imports between folders that are not listed are errors. */
const { ALLOWED, OUTERMOST } = require('./tools/import-rules.data.cjs');

const folder = (name) => `^src/${name}/`;
const anyOf = (names) => `^src/(${names.join('|')})/`;

const folders = Object.entries(ALLOWED).map(([name, allowed]) => ({
  name: `${name}-imports`,
  severity: 'error',
  comment: `src/${name} can import ${allowed.join(', ') || 'nothing from src/'}`,
  from: { path: folder(name) },
  to: { path: '^src/', pathNot: [folder(name), ...(allowed.length > 0 ? [anyOf(allowed)] : [])] },
}));

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...folders,
    {
      name: 'outermost-folders-are-not-imported',
      severity: 'error',
      from: { path: '^src/', pathNot: [...OUTERMOST.map(folder), '^src/main\\.ts$'] },
      to: { path: anyOf(OUTERMOST) },
    },
    ...Object.keys(ALLOWED).map((name) => ({
      name: `stores-of-${name}-are-private`,
      severity: 'error',
      from: { path: '^src/', pathNot: [folder(name), '^src/entities\\.ts$'] },
      to: { path: `^src/${name}/stores/` },
    })),
    {
      name: 'storage-in-its-places',
      severity: 'error',
      comment:
        'Only stores, entities, read models, modules, services, database/, changes/, and audit/ can import typeorm and pg.',
      from: {
        path: '^src/',
        pathNot: [
          '/stores/',
          '\\.(entity|read-model|module|service)\\.ts$',
          folder('database'),
          folder('changes'),
          '^src/audit/',
        ],
      },
      to: { path: 'node_modules/(typeorm|pg|@nestjs/typeorm)/' },
    },
    {
      name: 'undici-in-its-places',
      severity: 'error',
      comment: 'Only upstream/ (for the provider) and events/ (for webhooks) can import undici.',
      from: { path: '^src/', pathNot: anyOf(['upstream', 'events']) },
      to: { path: 'node_modules/undici/' },
    },
    {
      name: 'rules-know-no-framework',
      severity: 'error',
      from: { path: ['^src/proxy/metering/', '/registry/', '\\.rules\\.ts$'], pathNot: '\\.(module|service)\\.ts$' },
      to: { path: 'node_modules/(@nestjs|fastify|typeorm|rxjs)/' },
    },
    {
      name: 'test-folders-stand-alone',
      severity: 'error',
      comment: 'Put helpers for several test folders in test/support.',
      from: { path: '^test/([^/]+)/', pathNot: '^test/support/' },
      to: { path: '^test/', pathNot: '^test/($1|support|fixtures)/' },
    },
    {
      name: 'test-support-stands-alone',
      severity: 'error',
      from: { path: '^test/support/' },
      to: { path: '^test/', pathNot: '^test/(support|fixtures)/' },
    },
    {
      name: 'specs-are-not-imported',
      severity: 'error',
      from: {},
      to: { path: '\\.spec\\.ts$' },
    },
    {
      name: 'no-dev-packages',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev'], pathNot: '@types' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
