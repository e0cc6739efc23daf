// The `version` script of `npm version`. It moves the unreleased changes of CHANGELOG.md to the new version. It also sets the
// version of the Helm chart and of the image. docs/releasing.md describes the procedure.
import { readFileSync, writeFileSync } from 'node:fs';
import { CHANGELOG, UNRELEASED, UPGRADE_NOTES, VERSIONED, sectionsOf } from './release-files.js';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const changelog = readFileSync(CHANGELOG, 'utf8');
const [before, after] = changelog.split(`## [${UNRELEASED}]\n`);
const sections = sectionsOf(changelog);
const unreleased = sections.get(UNRELEASED);

if (unreleased === undefined)
  fail(`${CHANGELOG} has no section "## [${UNRELEASED}]". Add it above the latest version.`);
if (sections.has(version)) fail(`${CHANGELOG} already has a section for ${version}.`);
if (!unreleased.includes('\n- ')) fail(`${CHANGELOG} lists no unreleased change. Describe the changes first.`);
if (!unreleased.includes(UPGRADE_NOTES))
  fail(
    `${CHANGELOG} has no "${UPGRADE_NOTES}" for the unreleased changes. Add what operators must do, or that nothing is to do.`,
  );

const written = VERSIONED.map(({ file, pattern, count }) => {
  const text = readFileSync(file, 'utf8');
  if (text.match(pattern)?.length !== count) fail(`${file} does not have the ${count} lines that match ${pattern}.`);
  return [file, text.replace(pattern, `$1${version}`)];
});

const today = new Date().toISOString().slice(0, 10);
for (const [file, text] of written) writeFileSync(file, text);
writeFileSync(CHANGELOG, `${before}## [${UNRELEASED}]\n\n## [${version}] - ${today}\n${after}`);

function fail(reason) {
  console.error(reason);
  process.exit(1);
}
