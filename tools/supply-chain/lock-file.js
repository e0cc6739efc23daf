import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { INSTALL_SCRIPTS, PAGE_BUILD_TOOLS } from './allowed.data.js';

const LOCKED = ['.', 'tools/deploy', 'test/clients/frameworks'];
/** The root lock file covers the package.json of these folders. */
const MEMBERS = ['dashboard', 'sandbox', 'tools/node'];
/** Aliases are exact too: `npm:openai@4.104.0` installs a second major version next to the first. */
const EXACT = /^(npm:(@[a-z0-9.-]+\/)?[a-z0-9.-]+@)?\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;
const SHA512 = /^sha512-[A-Za-z0-9+/]{86}==$/;

const read = (root, path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Returns `[{ path, name, …entry }]`, without links to the project's own folders. */
function lockedPackages(root, folder = '.') {
  return Object.entries(read(root, join(folder, 'package-lock.json')).packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && link !== true)
    .map(([path, entry]) => ({ ...entry, path, name: entry.name ?? nameOf(path) }));
}

export function lockFaults(root) {
  return [
    ...LOCKED.flatMap((folder) => lockedPackages(root, folder).flatMap((entry) => entryFaults(folder, entry))),
    ...[...LOCKED, ...MEMBERS].flatMap((folder) => manifestFaults(root, folder)),
    ...scriptFaults(root),
  ];
}

function entryFaults(folder, { path, name, version, integrity, resolved }) {
  const at = `${join(folder, 'package-lock.json')}: ${path}`;
  const faults = [];
  if (!SHA512.test(integrity ?? '')) faults.push(`${at} has no sha512 integrity`);
  if (resolved !== undefined && !isRegistryTarball(resolved, name, version))
    faults.push(`${at} does not come from a package registry`);
  return faults;
}

/** All npm registries use `https://<registry>/<name>/-/<last part of the name>-<version>.tgz`. */
function isRegistryTarball(resolved, name, version) {
  const { protocol, pathname, username, search } = URL.parse(resolved) ?? {};
  const file = `/${name}/-/${name.split('/').at(-1)}-${version}.tgz`;
  return protocol === 'https:' && username === '' && search === '' && decodeURIComponent(pathname).endsWith(file);
}

/** A range, tag, URL or repository instead of a version could install different code with the next lock. */
function manifestFaults(root, folder) {
  const manifest = read(root, join(folder, 'package.json'));
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'];
  return kinds
    .flatMap((kind) => Object.entries(manifest[kind] ?? {}))
    .filter(([, spec]) => !EXACT.test(spec) && !MEMBERS.includes(spec.replace(/^file:/, '')))
    .map(([name, spec]) => `${join(folder, 'package.json')}: ${name} is specified as ${spec}, not as an exact version`);
}

function scriptFaults(root) {
  const { allowScripts, scarfSettings } = read(root, 'package.json');
  const faults = [];
  for (const folder of LOCKED)
    for (const { name, path, hasInstallScript } of lockedPackages(root, folder))
      if (hasInstallScript === true && !(name in INSTALL_SCRIPTS))
        faults.push(`${path} has an install script. Add it to tools/supply-chain/allowed.data.js with a reason.`);
  for (const name of new Set([...Object.keys(INSTALL_SCRIPTS), ...Object.keys(allowScripts)]))
    if (INSTALL_SCRIPTS[name]?.runs !== allowScripts[name])
      faults.push(`package.json and tools/supply-chain/allowed.data.js differ about the install script of ${name}`);
  if (scarfSettings?.enabled !== false) faults.push('package.json: scarfSettings does not disable @scarf/scarf');
  for (const name of npmrcNames(root))
    if (name !== 'loglevel')
      faults.push(`.npmrc sets ${name}: the project must not configure where packages come from`);
  return faults;
}

/** Leaves out the values, because a value can be a credential. */
function npmrcNames(root) {
  const file = join(root, '.npmrc');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => line.split('=')[0].trim());
}

export function shippedPackages(root) {
  const locked = lockedPackages(root);
  const byPath = new Map(locked.map((entry) => [entry.path, entry]));
  const inPage = pagePaths(read(root, 'dashboard/package.json'), byPath);
  return locked
    .filter(({ path, dev }) => dev !== true || inPage.has(path))
    .map((entry) => ({ ...entry, part: entry.dev === true ? 'page' : 'gateway' }));
}

function pagePaths({ dependencies, devDependencies }, byPath) {
  const found = new Set();
  const walk = (from, name) => {
    const path = resolved(from, name, byPath);
    if (path === undefined || found.has(path)) return;
    found.add(path);
    const { dependencies, optionalDependencies, peerDependencies } = byPath.get(path);
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) walk(path, next);
  };
  const direct = Object.keys({ ...dependencies, ...devDependencies });
  for (const name of direct) if (!PAGE_BUILD_TOOLS.includes(name)) walk('dashboard', name);
  return found;
}

function resolved(from, name, byPath) {
  for (let at = from; ; at = at.includes('/node_modules/') ? at.slice(0, at.lastIndexOf('/node_modules/')) : '') {
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (byPath.has(path)) return path;
    if (at === '') return undefined;
  }
}
