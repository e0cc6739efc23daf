// Checks that all files have the version of package.json, and that CHANGELOG.md describes its releases with upgrade notes. With a
// tag, also checks that the tag is that version, and that the migrations of the previous release are unchanged. It then prints
// the release notes: `node tools/check-release.js v1.1.0`.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { ReleaseFiles } from './release-files.js';

const LANDED = 'migrations/landed.json';

const tag = process.argv[2];
const files = new ReleaseFiles('.');
const faults = [...files.versionFaults(), ...files.changelogFaults(), ...(tag === undefined ? [] : tagFaults())];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
else if (tag !== undefined) console.log(files.notes(files.version));

function tagFaults() {
  const faults = tag === `v${files.version}` ? [] : [`The tag ${tag} is not v${files.version}.`];
  const before = previousRelease();
  if (before === null) return faults;
  const show = spawnSync('git', ['show', `${before}:${LANDED}`], { encoding: 'utf8' });
  // Releases before the first one with this file have no hashes.
  const landed = show.status === 0 ? JSON.parse(show.stdout) : {};
  const now = JSON.parse(readFileSync(LANDED, 'utf8'));
  const changed = Object.keys(landed).filter((name) => now[name] !== landed[name]);
  return [...faults, ...changed.map((name) => `migrations/${name} has changed since ${before}.`)];
}

function previousRelease() {
  const tags = execFileSync('git', ['tag', '--list', 'v*', '--sort=-version:refname', '--merged', 'HEAD']).toString();
  return tags.split('\n').find((name) => name !== '' && name !== tag) ?? null;
}
