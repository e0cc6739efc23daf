import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';

const CORES = availableParallelism();

/** Processes can be pinned on Linux with `taskset` and more than one core. */
export const pinned = CORES > 1 && spawnSync('taskset', ['-V']).status === 0;
export const SUBJECT_CORE = '0';
export const OTHER_CORES = CORES > 1 ? `1-${CORES - 1}` : '0';
export const ALL_CORES = `0-${CORES - 1}`;

export function spawnOn(cores, file, args, options = {}) {
  const [program, all] = pinned ? ['taskset', ['-c', cores, file, ...args]] : [file, args];
  return spawn(program, all, { stdio: ['ignore', 'ignore', 'inherit'], ...options });
}

export function forkOn(cores, program, args, env = process.env) {
  return spawnOn(cores, process.execPath, [program, ...args], { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

export function pinTree(pid, cores) {
  if (!pinned) return;
  spawnSync('taskset', ['-a', '-p', '-c', cores, String(pid)]);
  for (const child of childrenOf(pid)) pinTree(child, cores);
}

function childrenOf(pid) {
  const read = (file) => readFileSync(file, 'latin1').split(' ').filter(Boolean);
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => read(`/proc/${pid}/task/${thread}/children`));
}

export async function firstMessage(child) {
  const stop = new AbortController();
  const ended = once(child, 'exit', stop).then(([code]) => Promise.reject(new Error(`a process exited with ${code}`)));
  try {
    return (await Promise.race([once(child, 'message', stop), ended]))[0];
  } finally {
    stop.abort();
    ended.catch(() => undefined);
  }
}

export async function end(child, signal = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

export const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

export async function untilOk(url, child, { withinMs = 60_000, eachMs = 20 } = {}) {
  for (const begun = performance.now(); performance.now() - begun < withinMs; await pause(eachMs)) {
    if (child.exitCode !== null) throw new Error(`a server exited with ${child.exitCode}`);
    const response = await fetch(url).catch(() => null);
    await response?.arrayBuffer();
    if (response?.status === 200) return;
  }
  throw new Error(`${url} did not return 200 within ${withinMs} ms`);
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const TICKS_PER_SECOND = 100;

export function cpuSeconds(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}

export function rssBytes(pid) {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]) * 1024;
  } catch {
    return Number.NaN;
  }
}
