import { isDeepStrictEqual } from 'node:util';
import { readdirSync } from 'node:fs';
import { checkDocuments } from './check-documents.js';
import { checkPromises } from './check-promises.js';
import { run, template } from './helm.js';
import { CHART, inRoot, MANIFESTS } from './paths.js';
import { refusals } from './refusals.data.js';

const HELMS = ['helm', 'helm3'];

export function checkChart() {
  const files = readdirSync(inRoot(`${CHART}/ci`)).map((name) => `${CHART}/ci/${name}`);
  const values = [...files, `${MANIFESTS}/values.yaml`];
  return [
    // chart-testing finds only these names.
    ...files.filter((file) => !file.endsWith('-values.yaml')).map((file) => `rename ${file} to …-values.yaml`),
    ...[null, ...values].flatMap(lintFaults),
    ...values.flatMap((file) => {
      const documents = template(file);
      const alike = isDeepStrictEqual(documents, template(file, [], 'helm3'));
      return [
        ...(alike ? [] : [`Helm 3 and Helm 4 render ${file} differently`]),
        ...checkDocuments(documents, file),
        ...checkPromises(documents, file),
      ];
    }),
    ...HELMS.flatMap((helm) => refusals.flatMap((refusal) => refusalFaults(helm, refusal))),
  ];
}

/** Also lints without values, as `helm lint` and chart repositories do. */
function lintFaults(file) {
  const values = file === null ? [] : ['--values', inRoot(file)];
  return HELMS.flatMap((helm) => {
    const { ok, output } = run(helm, ['lint', inRoot(CHART), '--strict', '--quiet', ...values]);
    return ok ? [] : [`${helm} lint with ${file ?? 'the defaults'}: ${output}`];
  });
}

function refusalFaults(helm, { values, because, release = 'gateway' }) {
  const args = ['template', release, inRoot(CHART), '--values', '-'];
  const { ok, output } = run(helm, args, JSON.stringify(values));
  const what = `${release} ${JSON.stringify(values)}`;
  if (ok) return [`the chart accepts invalid values: ${what}`];
  return because.test(output) ? [] : [`${helm} rejects ${what} for an unexpected reason: ${output}`];
}
