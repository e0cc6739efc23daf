import { spawnSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';
import { binaries } from './binaries.js';
import { CHART, inRoot } from './paths.js';

/** @returns {{ok: boolean, output: string}} what it has printed, errors where it failed */
export function run(binary, args, input) {
  const { status, stdout, stderr, error } = spawnSync(binaries()[binary], args, {
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    // No cluster is asked, whatever the machine knows of one.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, KUBECONFIG: '/dev/null' },
  });
  if (error) throw error;
  return { ok: status === 0, output: status === 0 ? stdout : stderr + stdout };
}

/** The chart's documents for a file of values, and what helm says where it refuses them. */
export function template(valuesFile, more = []) {
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
  const { ok, output } = run('helm', args);
  if (!ok) throw new Error(`helm template with ${valuesFile}: ${output}`);
  return documentsOf(output, valuesFile);
}

/** By YAML 1.1, as Kubernetes reads it: a bare `off` is false there. @throws where there is a mistake, a key twice included */
export function documentsOf(text, where) {
  return parseAllDocuments(text, { version: '1.1' }).flatMap((document) => {
    if (document.errors.length > 0) throw new Error(`${where}: ${document.errors[0].message}`);
    const content = document.toJS();
    return content === null ? [] : [content];
  });
}
