/** `.dependency-cruiser.cjs` turns these tables into rules, and `npm run docs:imports` into the table of docs/architecture.md. */

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
  'json',
  'fairness',
  'http-server',
  'egress',
];

/** The folders that each folder can import besides itself. Type-only imports count. */
const ALLOWED = {
  errors: [],
  clock: [],
  lifecycle: [],
  json: ['errors'],
  fairness: ['config', 'errors', 'request-context'],
  'http-server': ['errors', 'request-context'],
  config: ['errors'],
  routes: [],
  validation: ['errors', 'json'],
  'request-context': ['routes', 'errors', 'validation'],
  egress: ['config'],
  telemetry: ['config', 'egress', 'routes', 'request-context', 'errors'],
  database: LEAVES,
  upstream: LEAVES,
  changes: [...LEAVES, 'database'],
  audit: [...LEAVES, 'database'],
  quota: [...LEAVES, 'database'],
  events: [...LEAVES, 'audit', 'database'],
  teams: [...LEAVES, 'audit', 'database'],
  keys: [...LEAVES, 'quota', 'teams', 'audit', 'events', 'changes', 'database'],
  'model-policy': [...LEAVES, 'upstream', 'audit', 'changes', 'database'],
  routing: [...LEAVES, 'upstream', 'model-policy', 'audit', 'changes', 'database'],
  costs: [...LEAVES, 'audit', 'changes', 'events', 'database'],
  limits: [...LEAVES, 'quota', 'model-policy', 'upstream', 'costs', 'audit', 'changes', 'events', 'database'],
  stats: [...LEAVES, 'quota', 'costs', 'database'],
  operators: [...LEAVES, 'audit', 'database'],
  auth: [...LEAVES, 'keys', 'operators'],
  pipeline: [...LEAVES, 'auth', 'keys', 'quota', 'limits', 'model-policy', 'stats'],
  proxy: [...LEAVES, 'keys', 'quota', 'limits', 'model-policy', 'upstream', 'routing', 'stats'],
  scheduler: [...LEAVES, 'keys', 'quota', 'model-policy', 'stats', 'audit', 'events', 'database'],
  admin: [
    ...LEAVES,
    ...[
      'auth',
      'teams',
      'keys',
      'quota',
      'model-policy',
      'routing',
      'costs',
      'limits',
      'stats',
      'audit',
      'events',
      'scheduler',
      'operators',
      'database',
    ],
  ],
  dashboard: [...LEAVES, 'auth', 'operators', 'audit', 'database'],
  secrets: ['config', 'errors'],
  health: [...LEAVES, 'database', 'upstream'],
  openapi: LEAVES,
};

/** These can import all of src/. Only they and main.ts can import them. */
const OUTERMOST = ['start', 'workers', 'cli'];

module.exports = { LEAVES, ALLOWED, OUTERMOST };
