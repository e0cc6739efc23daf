import { parseArgs } from 'node:util';

const HELP = `npm run bench:soak [-- OPTIONS]

Mixed load on one gateway: clients that abort in every phase and read slowly, a provider that errs, cuts and resets.
When it has ended, memory, sockets, timers and file handles must be back where they were after the warm-up, and every
request that was admitted must be stored. Exit code 1 where that is not so.

  --minutes N     30; a fraction is allowed
  --clients N     48 at once
  --help

  BENCH_DIST          dist  the build that is loaded
  BENCH_PROGRAM             arguments of Node in place of the build, one a line
  TEST_DATABASE_URL         a PostgreSQL; else the one at the standard local port, else the embedded one
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
