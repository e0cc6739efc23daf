import { readdirSync } from 'node:fs';
import { checkDocuments } from './check-documents.js';
import { checkPromises } from './check-promises.js';
import { run, template } from './helm.js';
import { CHART, inRoot, MANIFESTS } from './paths.js';
import { refusals } from './refusals.data.js';

export function checkChart() {
  const files = readdirSync(inRoot(`${CHART}/ci`)).map((name) => `${CHART}/ci/${name}`);
  const values = [...files, `${MANIFESTS}/values.yaml`];
  return [
    ...values.flatMap(lintFaults),
    ...values.flatMap((file) => {
      const documents = template(file);
      return [...checkDocuments(documents, file), ...checkPromises(documents, file)];
    }),
    ...refusals.flatMap(refusalFaults),
  ];
}

function lintFaults(file) {
  const { ok, output } = run('helm', ['lint', inRoot(CHART), '--strict', '--quiet', '--values', inRoot(file)]);
  return ok ? [] : [`helm lint with ${file}: ${output}`];
}

function refusalFaults({ values, because }) {
  const args = ['template', 'gateway', inRoot(CHART), '--values', '-'];
  const { ok, output } = run('helm', args, JSON.stringify(values));
  const what = JSON.stringify(values);
  if (ok) return [`the chart accepts invalid values: ${what}`];
  return because.test(output) ? [] : [`the chart rejects ${what} for an unexpected reason: ${output}`];
}
