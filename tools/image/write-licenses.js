// Writes the license texts of the packages in the bundle and in the dashboard's page to dist/licenses.txt. The image does not
// contain these packages as folders, and their licenses require the text to be in every copy.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { shippedPackages } from '../supply-chain/lock-file.js';

const FILE = 'dist/licenses.txt';
const LICENCE = /^(?:licen[cs]e|notice|copying)/i;

const bundled = new Set(JSON.parse(readFileSync('dist/chunks/packages.json', 'utf8')).bundled);
const packages = shippedPackages('.').filter(({ path, part }) => part === 'page' || bundled.has(path));
const sections = packages.map(({ name, version, license, path }) => {
  const texts = readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE.test(entry.name))
    .map((entry) => readFileSync(join(path, entry.name), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
});
writeFileSync(FILE, `${sections.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`);
console.log(`${FILE}: ${packages.length} packages`);
