import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseDocument } from 'yaml';
import { buildOf } from '../version.js';
import { run } from './helm.js';
import { CHART, inRoot } from './paths.js';

/**
 * Packages the chart of a checkout for a registry. The chart in the repository does not name its own address, because copies of the
 * repository have other ones.
 * @param folder where the package is written
 * @param repository the https address of the repository, or undefined
 * @param image the image's name without a tag
 */
export async function packageChart({ root, folder, version, image, repository }) {
  const work = mkdtempSync(join(tmpdir(), 'chart-'));
  try {
    const chart = join(work, 'inference-gateway');
    cpSync(join(root, CHART), chart, { recursive: true });
    change(join(chart, 'Chart.yaml'), (document) => writeMetadata(document, { version, image, repository }));
    change(join(chart, 'values.yaml'), (document) => document.setIn(['image', 'repository'], image));
    const { ok, output } = await run('helm', ['package', chart, '--destination', folder]);
    if (!ok) throw new Error(`helm package of version ${version} fails: ${output}`);
    return output;
  } finally {
    rmSync(work, { recursive: true });
  }
}

function writeMetadata(chart, { version, image, repository }) {
  chart.set('version', version);
  chart.set('appVersion', version);
  chart.setIn(['annotations', 'artifacthub.io/images'], `- name: gateway\n  image: ${image}:${version}\n`);
  if (repository === undefined) return;
  chart.set('home', repository);
  chart.set('sources', [repository]);
  // A build between releases has no tag.
  const tree = version.includes('-') ? repository : `${repository}/blob/v${version}/docs/kubernetes.md`;
  chart.setIn(['annotations', 'artifacthub.io/links'], `- name: documentation\n  url: ${tree}\n`);
}

function change(path, edit) {
  const document = parseDocument(readFileSync(path, 'utf8'));
  edit(document);
  writeFileSync(path, document.toString({ lineWidth: 0 }));
}

/*
 * `node tools/deploy/package.js FOLDER REPOSITORY_URL IMAGE`, for example with https://github.com/example/gateway and
 * ghcr.io/example/gateway.
 */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, repository, image] = process.argv.slice(2);
  if (/^https:\/\/\S+$/.test(repository ?? '') && image) {
    const { version } = buildOf();
    process.stdout.write(await packageChart({ root: inRoot('.'), folder, version, image, repository }));
  } else {
    console.error(
      'Usage: node tools/deploy/package.js FOLDER REPOSITORY_URL IMAGE. REPOSITORY_URL starts with https://.',
    );
    process.exitCode = 2;
  }
}
