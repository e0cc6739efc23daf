/** Import rules, described in docs/architecture.md. The table of the rooms is in tools/import-rules.data.cjs (ADR 0044). */
const { ALLOWED, OUTERMOST } = require('./tools/import-rules.data.cjs');

const forbid = (name, from, to) => ({ name, severity: 'error', from, to });
const srcExcept = (...pathNot) => ({ path: '^src/', pathNot });

/** A room inside another one has its own rule, so it does not belong to the outer room. */
function room(name) {
  const inner = Object.keys(ALLOWED).filter((other) => other.startsWith(`${name}/`));
  return `^src/${name}/${inner.map((other) => `(?!${other.slice(name.length + 1)}/)`).join('')}`;
}

const outermost = OUTERMOST.map(room);
const rooms = Object.entries(ALLOWED).map(([name, allowed]) =>
  forbid(`${name}-imports`, { path: room(name) }, srcExcept(...[name, 'platform', ...allowed].map(room))),
);

module.exports = {
  forbidden: [
    ...rooms,
    forbid('outermost-rooms-are-not-imported', srcExcept(...outermost, '^src/main\\.ts$'), { path: outermost }),
    forbid('no-cycles', {}, { circular: true }),
    forbid(
      'stores-are-private-to-their-room',
      { path: '^src/([^/]+)/', pathNot: '^src/start/entities\\.ts$' },
      { path: '^src/.+/(stores|ledger)/', pathNot: '^src/$1/' },
    ),
    forbid(
      'storage-in-its-places',
      srcExcept(
        '/(stores|ledger)/',
        '\\.(entity|read-model|module|service)\\.ts$',
        '^src/platform/(database|changes|patches)/',
        '^src/audit/(?!events/)',
      ),
      { path: 'node_modules/(typeorm|pg|@nestjs/typeorm)/' },
    ),
    forbid('undici-in-its-places', srcExcept('^src/(upstream|audit/events)/'), { path: 'node_modules/undici/' }),
    forbid(
      'rules-import-no-framework',
      { path: ['^src/proxy/metering/', '/registry/', '\\.rules\\.ts$'], pathNot: '\\.(module|service)\\.ts$' },
      { path: 'node_modules/(@nestjs|fastify|typeorm|rxjs)/' },
    ),
    forbid('no-dev-packages', { path: '^src/' }, { dependencyTypes: ['npm-dev'], pathNot: '@types' }),
    forbid(
      'test-folders-stand-alone',
      { path: '^test/(?:slow/)?([^/]+)/' },
      { path: '^test/', pathNot: '^test/((slow/)?$1|support|fixtures)/' },
    ),
    forbid('specs-are-not-imported', {}, { path: '\\.spec\\.ts$' }),
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
