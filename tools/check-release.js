// Checks that all files have the version of package.json, and that CHANGELOG.md describes it with upgrade notes. With a tag, also
// checks that the tag is that version, and that the migrations of the previous release are unchanged. It then prints the release
// notes: `node tools/check-release.js v1.1.0`.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { CHANGELOG, UNRELEASED, UPGRADE_NOTES, VERSIONED, sectionsOf } from './release-files.js';

const LANDED = 'migrations/landed.json';

const tag = process.argv[2];
const { version } = readJson('package.json');
const sections = sectionsOf(readFileSync(CHANGELOG, 'utf8'));
const faults = [...versionFaults(), ...changelogFaults(), ...(tag === undefined ? [] : tagFaults())];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
else if (tag !== undefined) console.log(sections.get(version).trim());

function versionFaults() {
  const { version: locked, packages } = readJson('package-lock.json');
  const faults = VERSIONED.filter(({ file, pattern, count }) => {
    const found = [...readFileSync(file, 'utf8').matchAll(pattern)];
    return found.length !== count || found.some(([line, before]) => line !== `${before}${version}`);
  }).map(({ file }) => `${file} does not have the version ${version} of package.json.`);
  return locked === version && packages[''].version === version ? faults : [...faults, 'package-lock.json differs.'];
}

function changelogFaults() {
  const released = [...sections.keys()].filter((name) => name !== UNRELEASED);
  const silent = released.filter((name) => !sections.get(name).includes(UPGRADE_NOTES));
  const faults = silent.map((name) => `${CHANGELOG} has no "${UPGRADE_NOTES}" for ${name}.`);
  return released[0] === version ? faults : [...faults, `The latest version in ${CHANGELOG} is not ${version}.`];
}

function tagFaults() {
  const faults = tag === `v${version}` ? [] : [`The tag ${tag} is not v${version}.`];
  const before = previousRelease();
  if (before === null) return faults;
  const show = spawnSync('git', ['show', `${before}:${LANDED}`], { encoding: 'utf8' });
  // Releases before the first one with this file have no hashes.
  const landed = show.status === 0 ? JSON.parse(show.stdout) : {};
  const now = readJson(LANDED);
  const changed = Object.keys(landed).filter((name) => now[name] !== landed[name]);
  return [...faults, ...changed.map((name) => `migrations/${name} has changed since ${before}.`)];
}

function previousRelease() {
  const tags = execFileSync('git', ['tag', '--list', 'v*', '--sort=-version:refname', '--merged', 'HEAD']).toString();
  return tags.split('\n').find((name) => name !== '' && name !== tag) ?? null;
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
