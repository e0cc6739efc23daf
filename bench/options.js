import { parseArgs } from 'node:util';
import { SCENARIOS } from './scenarios.js';

const HELP = `npm run bench [-- OPTIONS]

Compares the gateway with its baselines in one run, against one local provider. Use the ratios, not the absolute figures.

  --only NAMES          comma-separated names, or prefixes of names, of scenarios
  --subjects NAMES      only these baselines, for example nginx (the bare proxy and the gateway are always included)
  --peers               also measures Portkey and LiteLLM, if they are installed
  --set NAME=VALUE      a gateway setting, for example GW_ACCESS_LOG_RATE=0 (repeatable)
  --json FILE           writes all results, with versions, commit, and machine
  --compare A.json B.json   compares two result files without measuring
  --help

  BENCH_SECONDS   5     seconds per measurement
  BENCH_ROUNDS    3     rounds per subject
  BENCH_DIST      dist  the build to measure, for example one in another checkout
  BENCH_RATE            requests per second in the latency scenarios (default: half of the maximum)
  BENCH_PORTKEY         path of build/start-server.js of @portkey-ai/gateway
  BENCH_PORTKEY_NODE    Node binary for Portkey, if it does not run on this version
  BENCH_LITELLM         command of litellm[proxy] (default: litellm in PATH)
  TEST_DATABASE_URL     a PostgreSQL server (default: the standard local port, otherwise the embedded one)

Scenarios:
${SCENARIOS.map(({ name, title }) => `  ${name.padEnd(20)}  ${title}`).join('\n')}
`;

const list = (text) => (text === undefined ? [] : text.split(',').map((word) => word.trim()));

export function readOptions(argv, env = process.env) {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      subjects: { type: 'string' },
      peers: { type: 'boolean', default: false },
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
    peers: values.peers,
    settings: Object.fromEntries(values.set.map((pair) => [pair.split('=')[0], pair.slice(pair.indexOf('=') + 1)])),
    json: values.json ?? null,
    seconds: Number(env.BENCH_SECONDS || 5),
    rounds: Number(env.BENCH_ROUNDS || 3),
    rate: env.BENCH_RATE ? Number(env.BENCH_RATE) : null,
  };
}
