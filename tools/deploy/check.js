import { existsSync, readFileSync } from 'node:fs';
import { checkChart } from './check-chart.js';
import { checkCluster } from './check-cluster.js';
import { checkCompose } from './check-compose.js';
import { checkImage } from './check-image.js';
import { checkManifests } from './check-manifests.js';
import { checkMonitoring } from './check-monitoring.js';
import { checkReleases } from './check-releases.js';
import { chartFiles, manifestFiles } from './generated.js';
import { inRoot } from './paths.js';

const CHECKS = {
  'files generated from the code': async () => stale(await chartFiles()),
  chart: checkChart,
  'chart and existing objects': checkCluster,
  'several releases': checkReleases,
  'manifests generated from the chart': async () => stale(await manifestFiles()),
  manifests: checkManifests,
  'alerts, runbook, dashboard': checkMonitoring,
  'docker-compose.yml': checkCompose,
  'image, without a container engine': checkImage,
};

// All run at the same time, because they wait for other programs.
const results = Object.entries(CHECKS).map(async ([name, check]) => ({ name, faults: await faultsOf(check) }));
let failed = 0;
for (const { name, faults } of await Promise.all(results)) {
  failed += faults.length;
  process.stdout.write(
    `${faults.length === 0 ? 'ok  ' : 'FAIL'}  ${name}\n${faults.map((fault) => `      ${fault}\n`).join('')}`,
  );
}
process.exitCode = failed === 0 ? 0 : 1;

/** An error of one check must not end the others, because they remove their temporary files. */
async function faultsOf(check) {
  try {
    return await check();
  } catch (error) {
    return [error.stack];
  }
}

function stale(files) {
  const differs = ([path, text]) => !existsSync(inRoot(path)) || readFileSync(inRoot(path), 'utf8') !== text;
  return [...files].filter(differs).map(([path]) => `${path} is out of date. Run npm run docs:deploy.`);
}
