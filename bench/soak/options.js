import { parseArgs } from 'node:util';

const HELP = `npm run bench:soak [-- OPTIONS]

Puts mixed load on one gateway. Clients abort in every phase and read slowly. The provider returns errors, closes and
resets connections. At the end, memory, sockets, timers, and file handles must be back at their levels after the warm-up,
and every admitted request must be stored. Otherwise the exit code is 1.

  --minutes N     duration (default 30, can be a fraction)
  --clients N     concurrent clients (default 48)
  --help

  BENCH_DIST          dist  the build to test
  BENCH_PROGRAM             Node arguments to run instead of the build, one per line
  TEST_DATABASE_URL         a PostgreSQL server (default: the standard local port, otherwise the embedded one)
`;

export function readSoakOptions(argv) {
  const { values } = parseArgs({
    args: argv,
    options: {
      minutes: { type: 'string', default: '30' },
      clients: { type: 'string', default: '48' },
      help: { type: 'boolean' },
    },
  });
  return { help: values.help ? HELP : null, minutes: Number(values.minutes), clients: Number(values.clients) };
}
