// Makes a release in one command: `npm run release -- minor`. docs/releasing.md describes its steps and its artifacts. It works in a
// temporary clone, so a failure changes nothing.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeArtifacts } from './release-artifacts.js';
import { ReleaseFiles } from './release-files.js';

const USAGE = `Usage: npm run release -- VERSION [--dry-run] [--skip-checks] [--image NAME] [--repository URL]

VERSION        patch, minor, major, or a version such as 1.2.3
--dry-run      shows the changes and the artifacts, then discards them
--skip-checks  skips .ci/run, for a commit that CI has already checked
--image        the image's name without a tag, for example registry.example.com/inference-gateway
--repository   the repository's https address. The default is that of the remote "origin"`;

/** The release cannot be created. The message contains the reason and the remedy. */
class Refusal extends Error {}

const ROOT = git('.', 'rev-parse', '--show-toplevel');
const work = mkdtempSync(join(tmpdir(), 'release-'));
try {
  await release(optionsOf(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof Refusal ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function release({ wanted, dryRun, skipChecks, image, repository }) {
  const version = versionOf(wanted, new ReleaseFiles(ROOT).version);
  const tag = `v${version}`;
  const target = join(ROOT, 'release', tag);
  refuse(faultsOf(version, tag, target));
  const base = git(ROOT, 'rev-parse', 'HEAD');
  const branch = git(ROOT, 'symbolic-ref', '--short', 'HEAD');

  const clone = cloneOf(branch);
  const files = new ReleaseFiles(clone);
  files.releaseChanges(version, new Date().toISOString().slice(0, 10));
  commit(files, version, `Release ${version}`);
  git(clone, 'tag', '--annotate', '--message', `Release ${version}`, tag);
  commit(files, `${increased(version, 'patch')}-dev`, `Start ${increased(version, 'patch')}-dev`);
  const next = git(clone, 'rev-parse', 'HEAD');
  git(clone, 'checkout', '--quiet', tag);
  runIn(clone, process.execPath, 'tools/check-release.js', tag);
  if (!skipChecks) runIn(clone, 'bash', '.ci/run');

  const artifacts = join(work, 'artifacts');
  mkdirSync(artifacts);
  const made = await makeArtifacts({ root: clone, folder: artifacts, version, image, repository });
  if (dryRun) console.log(git(clone, 'log', '--patch', '--reverse', `${base}..${next}`));
  console.log(made.map(({ name, sha256 }) => `${sha256}  ${name}`).join('\n'));
  if (dryRun) return console.log(`\n${tag} can be released. Nothing was changed.`);

  if (git(ROOT, 'rev-parse', 'HEAD') !== base || git(ROOT, 'status', '--porcelain') !== '')
    throw new Refusal('The repository has changed since the command began. Run it again.');
  git(ROOT, 'fetch', '--quiet', '--no-tags', clone, `refs/heads/${branch}`, `refs/tags/${tag}:refs/tags/${tag}`);
  git(ROOT, 'merge', '--quiet', '--ff-only', next);
  cpSync(artifacts, target, { recursive: true });
  console.log(`\nReleased ${tag}. Its artifacts are in release/${tag}. Publish it with \`git push --follow-tags\`.`);
}

function optionsOf(args) {
  const boolean = { type: 'boolean', default: false };
  const text = { type: 'string' };
  const options = { 'dry-run': boolean, 'skip-checks': boolean, image: text, repository: text };
  let parsed;
  try {
    parsed = parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new Refusal(`${error.message}\n\n${USAGE}`);
  }
  const { values, positionals } = parsed;
  if (positionals.length !== 1) throw new Refusal(USAGE);
  const { image = 'inference-gateway', repository = addressOfOrigin() } = values;
  if (repository !== undefined && !/^https:\/\/\S+$/.test(repository))
    throw new Refusal(`--repository is ${repository}, which is not an https address.`);
  return { wanted: positionals[0], dryRun: values['dry-run'], skipChecks: values['skip-checks'], image, repository };
}

/** Returns undefined if the remote has no address that a browser can open. */
function addressOfOrigin() {
  const { stdout } = spawnSync('git', ['-C', ROOT, 'remote', 'get-url', 'origin'], { encoding: 'utf8' });
  const address = stdout.trim().replace(/^git@([^:]+):/, 'https://$1/');
  return /^https:\/\/[^@\s]+$/.test(address) ? address.replace(/\.git$/, '') : undefined;
}

function versionOf(wanted, current) {
  if (['patch', 'minor', 'major'].includes(wanted)) return increased(current, wanted);
  if (/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(wanted)) return wanted;
  throw new Refusal(`${wanted} is not a version. Use patch, minor, major, or a version such as 1.2.3.`);
}

/** As in npm: the release of 0.2.0-dev is the next minor version after 0.1.x, and 0.1.1-dev has the next patch. */
function increased(current, part) {
  const [release, development] = current.split('-');
  const [major, minor, patch] = release.split('.').map(Number);
  const isReached = (...lower) => development !== undefined && lower.every((number) => number === 0);
  if (part === 'major') return `${isReached(minor, patch) ? major : major + 1}.0.0`;
  if (part === 'minor') return `${major}.${isReached(patch) ? minor : minor + 1}.0`;
  return `${major}.${minor}.${isReached() ? patch : patch + 1}`;
}

function faultsOf(version, tag, target) {
  const files = new ReleaseFiles(ROOT);
  const changed = git(ROOT, 'status', '--porcelain');
  const tags = git(ROOT, 'tag', '--list', 'v*', '--sort=-version:refname', '--merged', 'HEAD').split('\n');
  const current = files.version.replace('-dev', '');
  return [
    ...(changed === '' ? [] : [`The working directory has changes. Commit or remove them:\n${changed}`]),
    ...(spawnSync('git', ['-C', ROOT, 'symbolic-ref', '--quiet', 'HEAD']).status === 0
      ? []
      : ['No branch is checked out. Check out the branch to release from.']),
    ...(git(ROOT, 'tag', '--list', tag) === '' ? [] : [`The tag ${tag} exists. Choose a higher version.`]),
    ...(existsSync(target) ? [`${target} exists. Remove it.`] : []),
    ...[current, ...(tags[0] === '' ? [] : [tags[0].slice(1)])]
      .filter((other) => isBelow(version, other))
      .map((other) => `${version} is below ${other}. Choose a higher version.`),
    ...files.versionFaults(),
    ...files.changelogFaults(),
    ...files.unreleasedFaults(version),
  ];
}

function isBelow(version, other) {
  const [a, b] = [version, other].map((text) => text.split('.').map(Number));
  const at = a.findIndex((number, index) => number !== b[index]);
  return at >= 0 && a[at] < b[at];
}

function refuse(faults) {
  if (faults.length > 0) throw new Refusal(faults.map((fault) => `- ${fault}`).join('\n'));
}

/** The clone uses the author and the signing key of this repository. */
function cloneOf(branch) {
  const clone = join(work, 'clone');
  const settings = spawnSync('git', ['-C', ROOT, 'config', '--get-regexp', '^(user|gpg|commit\\.gpg|tag\\.gpg)'], {
    encoding: 'utf8',
  });
  const lines = settings.stdout.split('\n').filter((line) => line !== '');
  const copied = lines.flatMap((line) => ['--config', line.replace(' ', '=')]);
  git(ROOT, 'clone', '--quiet', '--shared', '--branch', branch, ...copied, ROOT, clone);
  return clone;
}

function commit(files, version, message) {
  files.version = version;
  git(files.root, 'commit', '--quiet', '--no-verify', '--all', '--message', message);
}

function git(folder, ...args) {
  return execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', maxBuffer: 2 ** 26 }).trim();
}

function runIn(folder, program, ...args) {
  const { status } = spawnSync(program, args, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Refusal(`${args.join(' ')} fails on the release. Fix it first.`);
}
