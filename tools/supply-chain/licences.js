import { LICENCES } from './allowed.data.js';
import { shippedPackages } from './lock-file.js';

const allowed = (licence) => LICENCES.includes(licence);

function isAllowed(expression) {
  const plain = /^\((.*)\)$/.exec(expression)?.[1] ?? expression;
  if (/[()]| WITH /.test(plain)) return false;
  return plain.split(' OR ').some((side) => side.split(' AND ').every(allowed));
}

export const licenceFaults = (root) =>
  shippedPackages(root)
    .filter(({ license }) => typeof license !== 'string' || !isAllowed(license))
    .map(
      ({ name, version, license }) =>
        `${name} ${version} has the license ${license}, which is not on the list in tools/supply-chain/allowed.data.js`,
    );

const HEAD = `# Licenses

\`npm run docs:licences\` generates this page from the lock file, and \`npm run check:supply\` checks it.

The gateway itself is under the MIT license. This page lists the packages that ship with it. They are installed with the
gateway (**gateway**) or bundled into the dashboard page (**page**). If a package has one variant per platform, npm installs only
the matching variant. \`tools/supply-chain/allowed.data.js\` lists the allowed licenses.

The published prices (\`src/costs/pricing/price-list.data.ts\`) are data of \`@pydantic/genai-prices\`, which is under the MIT license. The
file contains the text of the license.
`;

export function licencesPage(root) {
  const lines = shippedPackages(root).map(
    ({ name, version, license, part }) => `| ${name} | ${version} | ${license} | ${part} |`,
  );
  const rows = [...new Set(lines)].sort((a, b) => (a < b ? -1 : 1));
  return `${HEAD}\n| package | version | license | part |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`;
}
