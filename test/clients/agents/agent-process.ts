import { spawn } from 'node:child_process';
import type { Command, Place } from './agent.js';

export interface AgentEnd {
  readonly code: number | null;
  readonly output: string;
  readonly timedOut: boolean;
  readonly tookMs: number;
}

/** An unused address, so that an agent that requests anything except its base URL fails immediately. */
const NOWHERE = 'http://127.0.0.1:9';
const OFFLINE = {
  HTTP_PROXY: NOWHERE,
  HTTPS_PROXY: NOWHERE,
  http_proxy: NOWHERE,
  https_proxy: NOWHERE,
  NO_PROXY: '127.0.0.1,localhost',
  no_proxy: '127.0.0.1,localhost',
  DO_NOT_TRACK: '1',
  CI: 'true',
};

/** Runs a command of an agent. After `msMax`, its process group is killed. */
export function runAgent({ program, args, env = {} }: Command, place: Place, msMax: number): Promise<AgentEnd> {
  const begun = performance.now();
  const child = spawn(program, args, {
    cwd: place.work,
    env: { PATH: process.env.PATH, HOME: place.home, TERM: 'dumb', ...OFFLINE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  let timedOut = false;
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const killGroup = () => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // The process group has already ended.
    }
  };
  const timer = setTimeout(() => {
    timedOut = true;
    killGroup();
  }, msMax);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(timer);
      killGroup();
      resolve({ code, output, timedOut, tookMs: Math.round(performance.now() - begun) });
    });
  });
}
