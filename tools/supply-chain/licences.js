import { LICENCES } from './allowed.data.js';
import { shippedPackages } from './lock-file.js';

const allowed = (licence) => LICENCES.includes(licence);

/** Whether an SPDX expression can be met: with `OR` by any side, with `AND` by every one. */
function isAllowed(expression) {
  const plain = /^\((.*)\)$/.exec(expression)?.[1] ?? expression;
  if (/[()]| WITH /.test(plain)) return false;
  return plain.split(' OR ').some((side) => side.split(' AND ').every(allowed));
}

/** Packages that are given away under a licence that is not on the list, or under none, a line each. */
export const licenceFaults = (root) =>
  shippedPackages(root)
    .filter(({ license }) => typeof license !== 'string' || !isAllowed(license))
    .map(({ name, version, license }) => `${name} ${version} has the licence ${license}, which is not on the list`);

const HEAD = `# Licences

Made by \`npm run docs:licences\` from the lock file; \`npm run check:supply\` holds it to that.

The gateway itself is under the MIT licence. These are the packages that are given away with it: installed beside the running
gateway (**gateway**; one of several for different machines is installed on each), or built into the dashboard's page (**page**).
Which licences may be on this list is said in \`tools/supply-chain/allowed.data.js\`.
`;

/** The whole of docs/licences.md. */
export function licencesPage(root) {
  const lines = shippedPackages(root).map(
    ({ name, version, license, part }) => `| ${name} | ${version} | ${license} | ${part} |`,
  );
  const rows = [...new Set(lines)].sort((a, b) => (a < b ? -1 : 1));
  return `${HEAD}\n| package | version | licence | part |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
}
