/** `.dependency-cruiser.cjs` turns these tables into rules, and `npm run docs:imports` into the table of docs/architecture.md. */

/** The rooms that each room can import besides itself and `platform`. Type-only imports count. */
const ALLOWED = {
  platform: [],
  audit: [],
  upstream: [],
  costs: ['audit'],
  'model-policy': ['upstream', 'audit'],
  'upstream/routing': ['upstream', 'model-policy', 'costs', 'audit'],
  quota: ['upstream', 'model-policy', 'costs', 'audit'],
  keys: ['quota', 'audit'],
  auth: ['keys', 'audit'],
  stats: ['quota', 'costs'],
  scheduler: ['keys', 'quota', 'model-policy', 'audit'],
  proxy: ['auth', 'keys', 'quota', 'model-policy', 'upstream', 'upstream/routing', 'stats'],
  admin: [
    'auth',
    'keys',
    'quota',
    'model-policy',
    'upstream',
    'upstream/routing',
    'costs',
    'stats',
    'audit',
    'scheduler',
  ],
};

/** These can import all of src/. Only they and main.ts can import them. */
const OUTERMOST = ['start', 'cli'];

module.exports = { ALLOWED, OUTERMOST };
