// npm run bench:soak: checks that a gateway leaks nothing under hours of load from misbehaving clients and a misbehaving provider.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { number, table } from './report/table.js';
import { admittedByClients, anyBehaviour } from './soak/behaviours.js';
import { Client } from './soak/client.js';
import { startSoakGateway } from './soak/gateway.js';
import { compareLevels } from './soak/levels.js';
import { readSoakOptions } from './soak/options.js';
import { openPostgres } from './system/databases.js';
import { ALL_CORES, firstMessage, forkOn, freePort, pause } from './system/processes.js';

const WARMUP_SHARE = 0.3;
const WARMUP_MS_MAX = 180_000;
/** Idle connections to the provider close after 5 s. Records are written every half second. */
const SETTLE_MS_MIN = 6000;
const SETTLE_MS_MAX = 30_000;
const SETTLE_POLL_MS = 1000;
const STILL = ['sockets', 'timers', 'stored', 'recorded'];

const options = readSoakOptions(process.argv.slice(2));
if (options.help !== null) console.log(options.help);
else process.exitCode = (await soak(options)) ? 0 : 1;

async function soak({ minutes, clients }) {
  const postgres = await openPostgres();
  const providerPort = await freePort();
  const provider = forkOn(ALL_CORES, join(import.meta.dirname, 'soak/provider.js'), [String(providerPort)]);
  await firstMessage(provider);
  const gateway = await startSoakGateway(providerPort, postgres);
  const warmupMs = Math.min(minutes * 60_000 * WARMUP_SHARE, WARMUP_MS_MAX);
  const tally = new Map();
  console.log(`${clients} clients, ${minutes} minutes, on ${postgres.kind}, ${availableParallelism()} cores.`);
  const stop = async () => {
    await gateway.stop();
    provider.disconnect();
    await postgres.stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop().finally(() => process.exit(1)));
  try {
    await loadFor(warmupMs, clients, gateway, tally);
    const before = await settled(gateway, null);
    await loadFor(minutes * 60_000 - warmupMs, clients, gateway, tally);
    const after = await settled(gateway, before);
    return report(tally, compareLevels(before, after), after);
  } finally {
    await stop();
  }
}

async function loadFor(ms, clients, gateway, tally) {
  const endAt = performance.now() + ms;
  const run = async () => {
    const client = new Client(gateway.port, gateway.key);
    while (performance.now() < endAt && gateway.ended() === null) {
      const behaviour = anyBehaviour();
      const counts = tally.get(behaviour.name) ?? { sent: 0, answered: 0, wrong: [] };
      tally.set(behaviour.name, counts);
      counts.sent++;
      await client.do(behaviour).then(
        (status) => (counts.answered += status === null ? 0 : 1),
        (error) => counts.wrong.push(error.message),
      );
    }
    client.end();
  };
  await Promise.all(Array.from({ length: clients }, run));
  if (gateway.ended() !== null) throw new Error(`the gateway exited with ${gateway.ended()}`);
}

/** Waits until the levels are back at `before` and nothing changes any more, or until the timeout. Returns the last levels. */
async function settled(gateway, before) {
  let last = null;
  for (const begun = performance.now(); ; await pause(SETTLE_POLL_MS)) {
    const tookMs = performance.now() - begun;
    const now = { ...(await gateway.levels()), ...(await gateway.counts()) };
    const back = compareLevels(before ?? now, now).every((level) => level.back);
    const quiet = last !== null && STILL.every((what) => now[what] === last[what]);
    last = now;
    const over = tookMs > SETTLE_MS_MIN && back && quiet && now.admitted === now.stored && now.stored === now.recorded;
    if (over || tookMs > SETTLE_MS_MAX) return last;
  }
}

function report(tally, levels, { admitted, stored, recorded }) {
  const sorted = [...tally].sort(([, one], [, other]) => other.sent - one.sent);
  const wrong = sorted.flatMap(([, each]) => each.wrong);
  const rows = sorted.map(([name, each]) => [
    name,
    String(each.sent),
    String(each.answered),
    String(each.wrong.length),
  ]);
  console.log(`\n${table([['behavior', 'sent', 'responses', 'wrong'], ...rows])}\n`);
  for (const message of [...new Set(wrong)].slice(0, 20)) console.log(`  ${message}`);
  console.log(
    table([
      ['level', 'after warm-up', 'at the end', 'tolerance', ''],
      ...levels.map(({ what, before, after, room, back }) => [
        what,
        ...[before, after, room].map(number),
        back ? 'ok' : 'TOO HIGH',
      ]),
    ]),
  );
  const { least, most } = admittedByClients(tally);
  console.log(`\n  Requests: ${admitted} admitted, ${stored} counted in the database, ${recorded} recorded as usage.`);
  console.log(`  The clients expect between ${least} and ${most}.`);
  const counted = admitted === stored && stored === recorded && least <= stored && stored <= most;
  const good = levels.every(({ back }) => back) && wrong.length === 0 && counted;
  console.log(good ? '  Passed.' : '  FAILED.');
  return good;
}
