import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { run } from './helm.js';
import { CHART, inRoot } from './paths.js';

/*
 * Packages the chart for a registry: `node tools/deploy/package.js FOLDER REPOSITORY_URL IMAGE`, for example with
 * https://github.com/example/gateway and ghcr.io/example/gateway. The chart in the repository does not name its own address, because
 * copies of the repository have other ones.
 */
const [folder, repository, image] = process.argv.slice(2);
if (!/^https:\/\/\S+$/.test(repository ?? '') || !image) {
  console.error(
    'Usage: node tools/deploy/package.js FOLDER REPOSITORY_URL IMAGE. REPOSITORY_URL starts with https://.',
  );
  process.exit(2);
}

const work = mkdtempSync(join(tmpdir(), 'chart-'));
try {
  const chart = join(work, 'inference-gateway');
  cpSync(inRoot(CHART), chart, { recursive: true });
  const version = writeMetadata(join(chart, 'Chart.yaml'));
  writeImage(join(chart, 'values.yaml'));
  const { ok, output } = await run('helm', ['package', chart, '--destination', folder]);
  process.stdout.write(output);
  if (!ok) throw new Error(`helm package of version ${version} failed`);
} finally {
  rmSync(work, { recursive: true });
}

function writeMetadata(path) {
  const chart = parseDocument(readFileSync(path, 'utf8'));
  const version = chart.get('appVersion');
  chart.set('home', repository);
  chart.set('sources', [repository]);
  chart.setIn(['annotations', 'artifacthub.io/images'], `- name: gateway\n  image: ${image}:${version}\n`);
  chart.setIn(
    ['annotations', 'artifacthub.io/links'],
    `- name: documentation\n  url: ${repository}/blob/v${version}/docs/kubernetes.md\n`,
  );
  writeFileSync(path, chart.toString());
  return version;
}

function writeImage(path) {
  const values = parseDocument(readFileSync(path, 'utf8'));
  values.setIn(['image', 'repository'], image);
  writeFileSync(path, values.toString({ lineWidth: 0 }));
}
