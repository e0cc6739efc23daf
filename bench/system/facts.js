import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { cpus, release, totalmem, type } from 'node:os';
import { DIST } from './dist.js';
import { pinned } from './processes.js';

const require = createRequire(import.meta.url);

export function facts() {
  return {
    at: new Date().toISOString(),
    commit: commitOf(dirname(DIST)),
    dist: process.env.BENCH_DIST ? DIST : 'dist',
    machine: `${cpus().length} × ${cpus()[0]?.model.trim() || process.arch}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release()}`,
    pinned,
    node: process.version,
    undici: versionOf('undici'),
    fastify: versionOf('fastify'),
    '@fastify/http-proxy': versionOf('@fastify/http-proxy'),
  };
}

function commitOf(folder) {
  const commit = run('git', '-C', folder, 'rev-parse', '--short', 'HEAD');
  if (commit === '') return 'unknown commit';
  return run('git', '-C', folder, 'status', '--porcelain', 'src') === '' ? commit : `${commit} with changes`;
}

const run = (program, ...args) => spawnSync(program, args, { encoding: 'utf8' }).stdout?.trim() ?? '';

function versionOf(name) {
  const folder = require.resolve.paths(name).map((path) => `${path}/${name}/package.json`);
  for (const file of folder) {
    try {
      return JSON.parse(readFileSync(file, 'utf8')).version;
    } catch {
      continue;
    }
  }
  return null;
}
