import { spawnSync } from 'node:child_process';
import { EXPLAINED_ADVISORIES } from './allowed.data.js';
import { shippedPackages } from './lock-file.js';

/**
 * Asks the machine's registry for known advisories about what is given away.
 * @returns `{ faults }`, a line for each that nobody has explained; `{ silent }` with the reason where no answer came: no
 *   network, or a registry that does not answer this
 */
export function advisories(root) {
  const { stdout, error } = spawnSync('npm', ['audit', '--json'], { cwd: root, encoding: 'utf8', timeout: 60_000 });
  const report = parsed(stdout);
  if (report?.vulnerabilities === undefined) return { silent: error?.code ?? 'the registry does not answer npm audit' };
  return { faults: faultsIn(report, new Set(shippedPackages(root).map(({ path }) => path))) };
}

/** @param shipped paths under node_modules */
function faultsIn({ vulnerabilities }, shipped) {
  return Object.values(vulnerabilities)
    .filter(({ nodes }) => nodes.some((path) => shipped.has(path)))
    .flatMap(({ name, via }) => via.filter((cause) => typeof cause === 'object').map((cause) => ({ name, ...cause })))
    .map(({ name, url, severity, title }) => ({ id: url.split('/').at(-1), line: `${name}: ${severity}: ${title}` }))
    .filter(({ id }) => EXPLAINED_ADVISORIES[id] === undefined)
    .map(({ id, line }) => `${line} (${id}): take a mended version, or explain it in allowed.data.js`);
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
