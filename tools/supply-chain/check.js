// Checks the packages: exact versions with hashes from a registry, allowed install scripts and licenses, no unexplained advisory.
// `--offline` skips the advisories. An argument selects another folder than this project.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { advisories } from './advisories.js';
import { licenceFaults, licencesPage } from './licences.js';
import { lockFaults, shippedPackages } from './lock-file.js';

const args = process.argv.slice(2);
const root = args.find((arg) => !arg.startsWith('--')) ?? '.';

const faults = [...lockFaults(root), ...licenceFaults(root)];
if (readFileSync(join(root, 'docs/licences.md'), 'utf8') !== licencesPage(root))
  faults.push('docs/licences.md does not match the lock file. Run `npm run docs:licences`.');
if (!args.includes('--offline')) {
  const { faults: known = [], silent } = advisories(root);
  faults.push(...known);
  if (silent !== undefined) console.log(`Advisories were not checked: ${silent}.`);
}
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log(`All ${shippedPackages(root).length} shipped packages have a hash and an allowed license.`);
