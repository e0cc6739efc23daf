// The command line of `npm run bench`.
import { parseArgs } from 'node:util';
import { SCENARIOS } from './scenarios.js';

const HELP = `npm run bench [-- OPTIONS]

Measures the gateway beside its baselines, in turn, in one run, against one local provider. Ratios count, not figures.

  --only NAMES          scenarios, comma-separated, each a name or the beginning of one
  --subjects NAMES      of the baselines only these, e.g. nginx (the bare proxy and the gateway are always measured)
  --set NAME=VALUE      a setting of the gateway, e.g. GW_ACCESS_LOG_RATE=0; may be repeated
  --json FILE           writes everything that was measured, with versions, commit and machine
  --compare A.json B.json   measures nothing: how B went beside A
  --help

  BENCH_SECONDS   5     seconds of each measurement
  BENCH_ROUNDS    3     times that each subject has its turn
  BENCH_DIST      dist  the build that is measured, e.g. that of another checkout
  BENCH_RATE            requests a second of the latency scenarios, in place of half of what is carried
  BENCH_PORTKEY         build/start-server.js of @portkey-ai/gateway, to measure it too
  BENCH_PORTKEY_NODE    the Node that runs it, where it does not work on this one
  TEST_DATABASE_URL     a PostgreSQL; else the one at the standard local port, else the embedded one

Scenarios:
${SCENARIOS.map(({ name, title }) => `  ${name.padEnd(20)}  ${title}`).join('\n')}
`;

const list = (text) => (text === undefined ? [] : text.split(',').map((word) => word.trim()));

/** @throws for an option that there is not */
export function readOptions(argv, env = process.env) {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      subjects: { type: 'string' },
      set: { type: 'string', multiple: true, default: [] },
      json: { type: 'string' },
      compare: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  return {
    help: values.help === true ? HELP : null,
    compare: values.compare === true ? positionals : null,
    only: list(values.only),
    subjects: list(values.subjects),
    settings: Object.fromEntries(values.set.map((pair) => [pair.split('=')[0], pair.slice(pair.indexOf('=') + 1)])),
    json: values.json ?? null,
    seconds: Number(env.BENCH_SECONDS || 5),
    rounds: Number(env.BENCH_ROUNDS || 3),
    rate: env.BENCH_RATE ? Number(env.BENCH_RATE) : null,
  };
}
