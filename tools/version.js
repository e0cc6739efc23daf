// Computes the version of a build, and prints it: `node tools/version.js`. docs/releasing.md describes its form.
import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(import.meta.dirname, '..');
/** `git archive` fills in its placeholders, because an archive has no `.git`. */
const ARCHIVED = 'tools/archived-commit.json';
/** Valid in npm, in charts, as an image tag and, with the chart's name, as a Kubernetes label. The last two do not allow `+`. */
const VALID = /^\d+\.\d+\.\d+(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/;
const LENGTH_MAX = 45;

/**
 * A tagged commit without changes has the version of package.json. Other builds have the time and the hash of their commit,
 * or `unknown` if the commit cannot be determined.
 * @param given a version that replaces the computed one, such as the image's build argument
 * @returns {{ version: string, commit: string }} `commit` is `unknown` if it cannot be determined
 * @throws if `given` is not a version
 */
export function buildOf(root = ROOT, given = process.env.BUILD_VERSION ?? '') {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const source = checkedOut(root) ?? archived(root);
  const commit = source?.commit ?? 'unknown';
  if (given !== '') {
    if (!VALID.test(given) || given.length > LENGTH_MAX)
      throw new Error(
        `BUILD_VERSION is ${given}, which is not a version. Use one such as 1.2.3, of at most ${LENGTH_MAX} characters.`,
      );
    return { version: given, commit };
  }
  const release = version.replace(/-.*/, '');
  if (source === null) return { version: `${release}-dev.0.unknown`, commit };
  const { tags, seconds, dirty } = source;
  if (version === release && tags.includes(`v${version}`) && !dirty) return { version, commit };
  const time = new Date(seconds * 1000).toISOString().replace(/\D/g, '').slice(0, 14);
  return { version: `${release}-dev.${time}.g${commit.slice(0, 10)}${dirty ? '.dirty' : ''}`, commit };
}

function checkedOut(root) {
  const git = (...args) =>
    execFileSync('git', ['--no-optional-locks', '-C', root, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim();
  try {
    // An unpacked archive can be inside another repository.
    if (realpathSync(git('rev-parse', '--show-toplevel')) !== realpathSync(root)) return null;
    const [commit, seconds] = git('show', '--no-patch', '--format=%H %ct', 'HEAD').split(' ');
    const tags = git('tag', '--points-at', 'HEAD').split('\n');
    return { commit, seconds: Number(seconds), tags, dirty: git('status', '--porcelain') !== '' };
  } catch {
    return null;
  }
}

function archived(root) {
  const { commit, seconds, tag } = JSON.parse(readFileSync(join(root, ARCHIVED), 'utf8'));
  return /^[0-9a-f]{40,}$/.test(commit) ? { commit, seconds: Number(seconds), tags: [tag], dirty: false } : null;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(buildOf().version);
