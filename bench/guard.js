// npm run bench:guard: fails if a request takes over 1.1 times the CPU time that it took at the commit in REFERENCE. Both builds run
// alternately on the same core.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { FIRST_WARMUP_SECONDS, measureOnce } from './measure/throughput.js';
import { readOptions } from './options.js';
import { SCENARIOS } from './scenarios.js';
import { startGateway } from './subjects/gateway.js';
import { GATEWAY } from './system/dist.js';
import { Place } from './system/place.js';

/** Replace it with a later commit only if that commit is faster. */
const REFERENCE = '14637704';
const GUARDED = ['json-1k-2k', 'json-1k-200k', 'streams-100'];
/** The same two builds had ratios from 0.93 to 1.06. */
const TOLERANCE = 1.1;
const ROUNDS = 7;
const ROUND_SECONDS = 1.5;
const ROUND_WARMUP_SECONDS = 0.5;
/** A busy machine can disturb all rounds of one build. */
const ATTEMPTS = 3;

const PROJECT = resolve(import.meta.dirname, '..');

if (spawnSync('git', ['-C', PROJECT, 'cat-file', '-e', `${REFERENCE}^{commit}`]).status !== 0) {
  console.error(`The repository does not contain the reference commit ${REFERENCE}. Fetch the whole history.`);
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'gateway-reference-'));
try {
  await run(buildOf(REFERENCE));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @returns the entry point of the gateway as of a commit, built with the packages that are installed now */
function buildOf(commit) {
  const archive = execFileSync('git', ['-C', PROJECT, 'archive', commit], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  execFileSync('npm', ['run', '-s', 'build:server'], { cwd: folder, stdio: 'inherit' });
  return join(folder, 'dist/src/main.js');
}

/**
 * Compares with the reference instead of the bare proxy. The same build took 2 to 3.6 times the bare proxy's CPU time, depending on what
 * else used the processor's caches.
 */
async function run(referenceProgram) {
  const place = await Place.open(readOptions([]), []);
  const builds = [];
  try {
    for (const [name, program] of [
      ['reference', referenceProgram],
      ['this build', GATEWAY],
    ])
      builds.push({ name, ...(await startGateway(place, { program })) });
    for (const scenario of SCENARIOS.filter(({ name }) => GUARDED.includes(name))) {
      const [referenceUs, ownUs] = await leastCpuTimes(scenario, builds, place);
      if (![referenceUs, ownUs].every(Number.isFinite)) throw new Error(`${scenario.name}: no complete response`);
      const ratio = ownUs / referenceUs;
      console.log(
        `${scenario.name}: ${ownUs.toFixed(1)} µs of CPU time, ${ratio.toFixed(3)} times the reference's ${referenceUs.toFixed(1)} µs`,
      );
      if (ratio > TOLERANCE) process.exitCode = 1;
    }
  } finally {
    for (const { stop } of builds) await stop();
    await place.close();
  }
  if (process.exitCode === 1)
    console.error(`A request costs more than ${TOLERANCE} times its CPU time at ${REFERENCE}.`);
}

/** The lowest CPU time per request of each build. More rounds follow while the ratio is not acceptable. */
async function leastCpuTimes(scenario, builds, place) {
  const least = builds.map(() => Infinity);
  for (let round = 0; round < ROUNDS * ATTEMPTS; round++) {
    if (round > 0 && round % ROUNDS === 0 && least[1] / least[0] <= TOLERANCE) break;
    for (const [at, build] of builds.entries()) {
      const warmup = round === 0 ? FIRST_WARMUP_SECONDS : ROUND_WARMUP_SECONDS;
      const { cpuUs } = await measureOnce(scenario, build, place, warmup, ROUND_SECONDS);
      // It is NaN without a complete response.
      if (cpuUs < least[at]) least[at] = cpuUs;
    }
  }
  return least;
}
