// Runs in the Dockerfile's `packages` stage and writes what the image contains to the folder in its argument. The programs are
// bundled, so only packages that the bundle does not contain are needed. This script needs no package itself.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Threads and the sandbox load their own files. Everything else is in `dist/chunks`. */
const PROGRAMS = [
  'dist/src/main.js',
  'dist/src/cli/main.js',
  'dist/src/proxy/metering/estimate/token-worker.js',
  'dist/sandbox/src/main.js',
];
const COMPLETE = ['dist/chunks', 'dist/dashboard', 'dist/licenses.txt'];
const RELATIVE_IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g;
/** Node loads none of these files. */
const DEVELOPMENT_FILE = /\.(?:map|[mc]?ts|md|markdown|flow|tsbuildinfo)$/i;
const LICENCE = /licen[cs]e|notice/i;

const target = process.argv[2];
if (target === undefined) throw new Error('Name the folder to write to.');
mkdirSync(target, { recursive: true });
const manifest = readJson('package.json');
const { name, license, type } = manifest;
const { version } = readJson('dist/package.json');
writeFileSync(join(target, 'package.json'), `${JSON.stringify({ name, version, license, type, private: true })}\n`);
for (const path of [...COMPLETE, ...importedFrom(PROGRAMS)]) copy(path);
for (const path of externalPackages(readJson('dist/chunks/packages.json').external)) copy(path);

function copy(path) {
  if (!existsSync(path)) throw new Error(`${path} is missing. Run the build first.`);
  const wanted = (file) => {
    const below = file.slice(path.length + 1);
    // A nested package is copied by its own path, if it is needed.
    if (below.split('/').includes('node_modules')) return false;
    return !DEVELOPMENT_FILE.test(file) || LICENCE.test(below);
  };
  cpSync(path, join(target, path), { recursive: true, filter: wanted });
}

function importedFrom(programs) {
  const found = new Set(programs);
  for (const file of found)
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(RELATIVE_IMPORT))
      if (!specifier.includes('/chunks/')) found.add(join(dirname(file), specifier));
  return [...found];
}

/**
 * Returns the folders of packages and of all their dependencies.
 * @param names packages, or scopes that stand for each direct dependency in them
 */
function externalPackages(names) {
  const found = new Set();
  const direct = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  const walk = (from, wanted) => {
    const folder = installedFolder(from, wanted);
    if (folder === undefined || found.has(folder)) return;
    found.add(folder);
    const { dependencies, optionalDependencies, peerDependencies } = readJson(join(folder, 'package.json'));
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
      walk(folder, next);
  };
  for (const external of names) {
    const inScope = direct.filter((one) => one.startsWith(`${external}/`));
    for (const one of inScope.length > 0 ? inScope : [external]) walk('.', one);
  }
  return [...found];
}

/** Optional packages for other platforms are not installed. */
function installedFolder(from, wanted) {
  for (let at = from; ; at = dirname(at)) {
    const folder = join(at, 'node_modules', wanted);
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (at === '.') return undefined;
  }
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
