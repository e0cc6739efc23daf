// What the gateway is made of: exact versions with their hashes, from a registry, install scripts and licences on a list, no
// known advisory without a word about it. `--offline` asks nobody; a folder may be given in place of this project.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { advisories } from './advisories.js';
import { licenceFaults, licencesPage } from './licences.js';
import { lockFaults, shippedPackages } from './lock-file.js';

const args = process.argv.slice(2);
const root = args.find((arg) => !arg.startsWith('--')) ?? '.';

const faults = [...lockFaults(root), ...licenceFaults(root)];
if (readFileSync(join(root, 'docs/licences.md'), 'utf8') !== licencesPage(root))
  faults.push('docs/licences.md is not what the lock file says: run `npm run docs:licences`');
if (!args.includes('--offline')) {
  const { faults: known = [], silent } = advisories(root);
  faults.push(...known);
  if (silent !== undefined) console.log(`Advisories were not looked at: ${silent}.`);
}
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log(
  `${shippedPackages(root).length} packages are given away, each by its hash and under a licence on the list.`,
);
