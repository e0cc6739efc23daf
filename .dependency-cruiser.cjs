/**
 * Who may import whom, as docs/architecture.md says. A folder of src/ may import the leaves and the folders named here;
 * what is not named is refused. Type-only imports count.
 */
const LEAVES = [
  'errors',
  'clock',
  'config',
  'routes',
  'validation',
  'secrets',
  'request-context',
  'telemetry',
  'lifecycle',
];

const ALLOWED = {
  errors: [],
  clock: [],
  lifecycle: [],
  config: ['errors'],
  routes: ['errors'],
  validation: ['errors'],
  'request-context': ['routes', 'errors', 'validation'],
  telemetry: ['config', 'routes', 'request-context', 'errors'],
  database: LEAVES,
  upstream: LEAVES,
  redis: [...LEAVES, 'database'],
  changes: [...LEAVES, 'database', 'redis'],
  audit: [...LEAVES, 'database'],
  quota: [...LEAVES, 'database', 'redis'],
  events: [...LEAVES, 'audit', 'database'],
  keys: [...LEAVES, 'quota', 'audit', 'events', 'changes', 'database'],
  'model-policy': [...LEAVES, 'upstream', 'audit', 'changes', 'database'],
  stats: [...LEAVES, 'quota', 'database'],
  operators: [...LEAVES, 'audit', 'database'],
  auth: [...LEAVES, 'keys', 'operators'],
  pipeline: [...LEAVES, 'auth', 'keys', 'quota', 'model-policy', 'stats'],
  proxy: [...LEAVES, 'keys', 'quota', 'model-policy', 'upstream', 'stats'],
  scheduler: [...LEAVES, 'keys', 'quota', 'model-policy', 'stats', 'audit', 'events', 'database'],
  admin: [
    ...LEAVES,
    ...['auth', 'keys', 'quota', 'model-policy', 'stats', 'audit', 'events', 'scheduler', 'operators', 'database'],
  ],
  dashboard: [...LEAVES, 'auth', 'operators', 'audit', 'database'],
  secrets: ['config', 'errors'],
  health: [...LEAVES, 'database', 'redis', 'upstream'],
  openapi: LEAVES,
};
const RIM = ['start', 'workers', 'cli', 'sandbox'];

const folder = (name) => `^src/${name}/`;
const anyOf = (names) => `^src/(${names.join('|')})/`;

const folders = Object.entries(ALLOWED).map(([name, allowed]) => ({
  name: `${name}-imports`,
  severity: 'error',
  comment: `src/${name} may import ${allowed.join(', ') || 'nothing of src/'}`,
  from: { path: folder(name) },
  to: { path: '^src/', pathNot: [folder(name), ...(allowed.length > 0 ? [anyOf(allowed)] : [])] },
}));

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...folders,
    {
      name: 'rim-is-imported-by-nobody',
      severity: 'error',
      from: { path: '^src/', pathNot: [...RIM.map(folder), '^src/main\\.ts$'] },
      to: { path: anyOf(RIM) },
    },
    {
      name: 'sandbox-stands-alone',
      severity: 'error',
      from: { path: folder('sandbox') },
      to: { path: '^src/', pathNot: folder('sandbox') },
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
        'typeorm and pg only in stores, entities, read models, database/ and modules; a service may hold a transaction',
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
      name: 'redis-in-its-place',
      severity: 'error',
      comment: 'redis/ has the one client',
      from: { path: '^src/', pathNot: folder('redis') },
      to: { path: 'node_modules/@redis/' },
    },
    {
      name: 'undici-in-its-places',
      severity: 'error',
      comment: 'upstream/ for the provider, events/ for webhooks',
      from: { path: '^src/', pathNot: anyOf(['upstream', 'events']) },
      to: { path: 'node_modules/undici/' },
    },
    {
      name: 'rules-know-no-framework',
      severity: 'error',
      from: { path: ['^src/proxy/usage/', '/registry/', '\\.rules\\.ts$'], pathNot: '\\.(module|service)\\.ts$' },
      to: { path: 'node_modules/(@nestjs|fastify|typeorm|rxjs)/' },
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
