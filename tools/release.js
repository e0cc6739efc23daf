// The `version` script of `npm version`. It moves the unreleased changes of CHANGELOG.md to the new version, and sets the
// version of the Helm chart. docs/releasing.md describes the procedure.
import { readFileSync, writeFileSync } from 'node:fs';

const CHANGELOG = 'CHANGELOG.md';
const CHART = 'deploy/helm/inference-gateway/Chart.yaml';
const UNRELEASED = '## [Unreleased]\n';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const changelog = readFileSync(CHANGELOG, 'utf8');
const [before, after] = changelog.split(UNRELEASED);
const chart = readFileSync(CHART, 'utf8');

if (after === undefined) fail(`${CHANGELOG} has no section "${UNRELEASED.trim()}". Add it above the latest version.`);
if (changelog.includes(`\n## [${version}]`)) fail(`${CHANGELOG} already has a section for ${version}.`);
if (!after.split('\n## ')[0].includes('\n- '))
  fail(`${CHANGELOG} lists no unreleased change. Describe the changes first.`);
for (const field of ['version', 'appVersion'])
  if (!new RegExp(`^${field}: .+$`, 'm').test(chart)) fail(`${CHART} has no ${field}.`);

const today = new Date().toISOString().slice(0, 10);
writeFileSync(CHANGELOG, `${before}${UNRELEASED}\n## [${version}] - ${today}\n${after}`);
writeFileSync(CHART, chart.replace(/^(version|appVersion): .+$/gm, `$1: ${version}`));

function fail(reason) {
  console.error(reason);
  process.exit(1);
}
