import { existsSync, readFileSync } from 'node:fs';
import { checkChart } from './check-chart.js';
import { checkCompose } from './check-compose.js';
import { checkImage } from './check-image.js';
import { checkManifests } from './check-manifests.js';
import { checkMonitoring } from './check-monitoring.js';
import { chartFiles, manifestFiles } from './generated.js';
import { inRoot } from './paths.js';

/** Everything of deploy/, docker-compose.yml and Dockerfile: `npm run check:deploy`, after a build. Ends with 1 and what is wrong. */
const CHECKS = {
  'made from the code': async () => stale(await chartFiles()),
  'the chart': checkChart,
  'the manifests, made from the chart': async () => stale(await manifestFiles()),
  'the manifests': checkManifests,
  'alerts, runbook, dashboard': checkMonitoring,
  'docker-compose.yml': checkCompose,
  'the image, without an engine': checkImage,
};

let failed = 0;
for (const [name, check] of Object.entries(CHECKS)) {
  const faults = await check();
  failed += faults.length;
  process.stdout.write(
    `${faults.length === 0 ? 'ok  ' : 'FAIL'}  ${name}\n${faults.map((fault) => `      ${fault}\n`).join('')}`,
  );
}
process.exitCode = failed === 0 ? 0 : 1;

function stale(files) {
  const differs = ([path, text]) => !existsSync(inRoot(path)) || readFileSync(inRoot(path), 'utf8') !== text;
  return [...files].filter(differs).map(([path]) => `${path} is not what the code says: npm run docs:deploy`);
}
