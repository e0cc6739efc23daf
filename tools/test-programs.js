// Bundles both programs from the sources, as `npm run build` does, and prints their folder. The result is cached by a hash of the
// sources, because specs start hundreds of processes.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundle } from './bundle.js';
import { compileTypeScript } from './typescript.js';

const PROJECT = resolve(import.meta.dirname, '..');
const CACHE = join(PROJECT, 'node_modules/.cache/programs');
const CACHE_AGE_MS_MAX = 3_600_000;
const INPUTS = ['src', 'migrations', 'tools/bundle.js', 'tools/typescript.js', 'package-lock.json'];

mkdirSync(CACHE, { recursive: true });
const folder = join(CACHE, hashOf(INPUTS));
if (!existsSync(folder)) await make();
console.log(folder);

async function make() {
  pruneCache();
  const unfinished = `${folder}.${process.pid}`;
  const programs = { gateway: join(PROJECT, 'src/main.ts'), cli: join(PROJECT, 'src/cli/main.ts') };
  await bundle({ programs, folder: unfinished, compile: compileTypeScript });
  // Without it, Node parses each file twice to find out whether it is a module.
  writeFileSync(join(unfinished, 'package.json'), '{ "type": "module" }\n');
  // The folder is renamed last, so that it is always complete. Another process might have created it in the meantime.
  if (existsSync(folder)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, folder);
}

function pruneCache() {
  for (const name of readdirSync(CACHE)) {
    const path = join(CACHE, name);
    if (Date.now() - statSync(path).mtimeMs > CACHE_AGE_MS_MAX) rmSync(path, { recursive: true, force: true });
  }
}

function hashOf(inputs) {
  const hash = createHash('sha256');
  for (const input of inputs) {
    const path = join(PROJECT, input);
    const names = statSync(path).isDirectory() ? readdirSync(path, { recursive: true }).sort() : [''];
    for (const name of names) {
      const file = join(path, name);
      if (statSync(file).isFile()) hash.update(`${input}/${name}\0`).update(readFileSync(file));
    }
  }
  return hash.digest('hex').slice(0, 16);
}
