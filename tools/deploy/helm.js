import { spawnSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';
import { binaries } from './binaries.js';
import { CHART, inRoot } from './paths.js';

export function run(binary, args, input) {
  const { status, stdout, stderr, error } = spawnSync(binaries()[binary], args, {
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    // Never contact a cluster, even if this machine has one configured.
    env: { PATH: process.env.PATH, HOME: process.env.HOME, KUBECONFIG: '/dev/null' },
  });
  if (error) throw error;
  return { ok: status === 0, output: status === 0 ? stdout : stderr + stdout };
}

export function template(valuesFile, more = [], helm = 'helm') {
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
  const { ok, output } = run(helm, args);
  if (!ok) throw new Error(`${helm} template with ${valuesFile}: ${output}`);
  return documentsOf(output, valuesFile);
}

/** Parses YAML 1.1, as Kubernetes does: a bare `off` is false. @throws on invalid YAML, including duplicate keys */
export function documentsOf(text, where) {
  return parseAllDocuments(text, { version: '1.1' }).flatMap((document) => {
    if (document.errors.length > 0) throw new Error(`${where}: ${document.errors[0].message}`);
    const content = document.toJS();
    return content === null ? [] : [content];
  });
}
