/** Import rules, described in docs/architecture.md. Imports between rooms that are not listed are errors. */
const { ALLOWED, OUTERMOST } = require('./tools/import-rules.data.cjs');

/** A room inside another one has its own rule, so it does not belong to the outer room. */
function room(name) {
  const inner = Object.keys(ALLOWED).filter((other) => other.startsWith(`${name}/`));
  return `^src/${name}/${inner.map((other) => `(?!${other.slice(name.length + 1)}/)`).join('')}`;
}

const rooms = Object.entries(ALLOWED).map(([name, allowed]) => ({
  name: `${name}-imports`,
  severity: 'error',
  comment: `src/${name} can import ${['platform', ...allowed].join(', ')}`,
  from: { path: room(name) },
  to: { path: '^src/', pathNot: [name, 'platform', ...allowed].map(room) },
}));

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...rooms,
    {
      name: 'outermost-rooms-are-not-imported',
      severity: 'error',
      from: { path: '^src/', pathNot: [...OUTERMOST.map(room), '^src/main\\.ts$'] },
      to: { path: OUTERMOST.map(room) },
    },
    {
      name: 'stores-are-private-to-their-room',
      severity: 'error',
      from: { path: '^src/([^/]+)/', pathNot: '^src/start/entities\\.ts$' },
      to: { path: '^src/.+/(stores|ledger)/', pathNot: '^src/$1/' },
    },
    {
      name: 'storage-in-its-places',
      severity: 'error',
      comment:
        'Only stores, entities, read models, modules, services, platform/database, platform/changes, and audit can import typeorm and pg.',
      from: {
        path: '^src/',
        pathNot: [
          '/(stores|ledger)/',
          '\\.(entity|read-model|module|service)\\.ts$',
          '^src/platform/(database|changes)/',
          '^src/audit/(?!events/)',
        ],
      },
      to: { path: 'node_modules/(typeorm|pg|@nestjs/typeorm)/' },
    },
    {
      name: 'undici-in-its-places',
      severity: 'error',
      comment: 'Only upstream (for the provider) and audit/events (for webhooks) can import undici.',
      from: { path: '^src/', pathNot: '^src/(upstream|audit/events)/' },
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
      from: { path: '^test/(?:slow/)?([^/]+)/', pathNot: '^test/support/' },
      to: { path: '^test/', pathNot: '^test/((slow/)?$1|support|fixtures)/' },
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
