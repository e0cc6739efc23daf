import { spawnSync } from 'node:child_process';
import { EXPLAINED_ADVISORIES } from './allowed.data.js';
import { shippedPackages } from './lock-file.js';

/** Returns `{ faults }`, one line per unexplained advisory, or `{ silent }`, the reason why nothing was checked. */
export function advisories(root) {
  const { stdout, error } = spawnSync('npm', ['audit', '--json'], { cwd: root, encoding: 'utf8', timeout: 60_000 });
  const report = parsed(stdout);
  if (report?.vulnerabilities === undefined)
    return { silent: error?.code ?? 'the registry does not support npm audit' };
  return { faults: faultsIn(report, new Set(shippedPackages(root).map(({ path }) => path))) };
}

function faultsIn({ vulnerabilities }, shipped) {
  return Object.values(vulnerabilities)
    .filter(({ nodes }) => nodes.some((path) => shipped.has(path)))
    .flatMap(({ name, via }) => via.filter((cause) => typeof cause === 'object').map((cause) => ({ name, ...cause })))
    .map(({ name, url, severity, title }) => ({ id: url.split('/').at(-1), line: `${name}: ${severity}: ${title}` }))
    .filter(({ id }) => EXPLAINED_ADVISORIES[id] === undefined)
    .map(
      ({ id, line }) =>
        `${line} (${id}). Upgrade to a fixed version, or explain the advisory in tools/supply-chain/allowed.data.js.`,
    );
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
