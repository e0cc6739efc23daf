import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseAllDocuments } from 'yaml';
import { binaries } from './binaries.js';
import { CHART, inRoot } from './paths.js';

/** Helm is limited by the processor. */
const PROCESSES_MAX = Math.min(4, Math.max(2, availableParallelism()));

let running = 0;
const waiting = [];

/** Runs a program. At most `PROCESSES_MAX` run at a time, so callers can start all of theirs at once. */
export async function run(binary, args, input) {
  if (running < PROCESSES_MAX) running += 1;
  else await new Promise((resolve) => waiting.push(resolve));
  try {
    return await outputOf(binaries()[binary], args, input);
  } finally {
    if (waiting.length > 0) waiting.shift()();
    else running -= 1;
  }
}

function outputOf(path, args, input) {
  return new Promise((resolve, reject) => {
    // Helm must never contact a cluster, even if this machine has one configured. Garbage is collected less often, because a
    // program runs for only a tenth of a second.
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, KUBECONFIG: '/dev/null', GOGC: '400' };
    const child = execFile(path, args, { env, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      // The code of a program that could not run is a text.
      if (typeof error?.code === 'string') reject(error);
      else resolve({ ok: error === null, output: error === null ? stdout : stderr + stdout });
    });
    // A program that rejects its arguments does not read its input.
    child.stdin.on('error', () => undefined).end(input);
  });
}

export async function template(valuesFile, more = [], helm = 'helm') {
  const args = [
    'template',
    'gateway',
    inRoot(CHART),
    '--namespace',
    'gateways',
    '--values',
    inRoot(valuesFile),
    ...more,
  ];
  const { ok, output } = await run(helm, args);
  if (!ok) throw new Error(`${helm} template with ${valuesFile}: ${output}`);
  return documentsOf(output, valuesFile);
}

/**
 * Parses YAML 1.1, as Kubernetes does: a bare `off` is false.
 * @throws on invalid YAML, including duplicate keys
 */
export function documentsOf(text, where) {
  return parseAllDocuments(text, { version: '1.1' }).flatMap((document) => {
    if (document.errors.length > 0) throw new Error(`${where}: ${document.errors[0].message}`);
    const content = document.toJS();
    return content === null ? [] : [content];
  });
}
