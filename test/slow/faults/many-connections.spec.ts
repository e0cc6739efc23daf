import { execFileSync } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '../../support/until.js';
import type { Snapshot } from '../../support/responses.js';
import type { Key } from '../../support/gateway.js';
import { GatewayProcess } from '../../support/gateway-process.js';
import { createScratchDatabase, type ScratchDatabase } from '../../support/scratch-database.js';
import { startUpstream, type ScriptedUpstream } from '../../support/scripted-upstream.js';

/** Open files per process. The client and the gateway each have their own process. `unlimited` results in NaN. */
const FILES_MAX = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' })) || Infinity;
/** 10,000, or as many as the system allows in addition to the process's own files. */
const CONNECTIONS = Math.min(10_000, FILES_MAX - 500);

let database: ScratchDatabase;
let upstream: ScriptedUpstream;
let gateway: GatewayProcess;
let key: Key;
beforeAll(async () => {
  [database, upstream] = await Promise.all([createScratchDatabase(), startUpstream()]);
  gateway = await GatewayProcess.start({
    DATABASE_URL: database.url,
    GW_UPSTREAM_BASE_URL: upstream.url,
    GW_LOG_SAMPLE_RATE: '0',
  });
  key = await gateway.createKey();
});
afterAll(async () => {
  await GatewayProcess.endAll();
  await upstream.stop();
  await database.drop();
});

const REQUEST = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.key}\r\n\r\n`;

/** Reads the next response on `socket` and returns its status. */
const statusOf = (socket: Socket): Promise<number> =>
  new Promise((resolve, reject) => {
    let text = '';
    const onData = (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const headEnd = text.indexOf('\r\n\r\n');
      if (headEnd === -1) return;
      const length = Number(/^content-length: (\d+)/im.exec(text)?.[1]);
      if (text.length < headEnd + 4 + length) return;
      socket.off('data', onData).off('close', onClose);
      resolve(Number(text.slice(9, 12)));
    };
    const onClose = () => reject(new Error(`closed after ${JSON.stringify(text)}`));
    socket.on('data', onData).once('close', onClose);
  });

async function opened(): Promise<Socket> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return socket.on('error', () => {});
}

test(`serves and counts two requests on each of ${CONNECTIONS} connections, and releases their files`, async () => {
  const sockets: Socket[] = [];
  // In hundreds, because the system refuses connections beyond its backlog.
  while (sockets.length < CONNECTIONS) {
    const count = Math.min(100, CONNECTIONS - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: count }, opened))));
  }
  const rounds = ['/v1/models/gpt-4o-mini', '/v1/models/gpt-4o'];
  for (const path of rounds) {
    const statuses = sockets.map(statusOf);
    for (const socket of sockets) socket.write(REQUEST(path));
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]));
  }
  const other = await gateway.chat(key.key);
  expect(other.status).toBe(200);
  for (const socket of sockets) socket.destroy();
  const { body } = await gateway.call<Snapshot>('GET', '/v1/usage', { key: key.key });
  expect(body.today.used).toBe(rounds.length * CONNECTIONS + 1);
  await until(() => filesOf(gateway.pid) < 200);
  expect((await gateway.chat(key.key)).status).toBe(200);
});

/** Returns the number of open files of a process, or 0 if the system does not provide it. */
function filesOf(pid: number): number {
  try {
    return execFileSync('ls', [`/proc/${pid}/fd`], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split(
      '\n',
    ).length;
  } catch {
    return 0;
  }
}
