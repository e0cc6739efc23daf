import { isDeepStrictEqual } from 'node:util';
import { readdirSync } from 'node:fs';
import { checkDocuments } from './check-documents.js';
import { checkPromises } from './check-promises.js';
import { run, template } from './helm.js';
import { CHART, inRoot, MANIFESTS } from './paths.js';
import { rejectedValues } from './rejected-values.data.js';

const HELMS = ['helm', 'helm3'];

export async function checkChart() {
  const files = readdirSync(inRoot(`${CHART}/ci`)).map((name) => `${CHART}/ci/${name}`);
  const values = [...files, `${MANIFESTS}/values.yaml`];
  const rejections = HELMS.flatMap((helm) => rejectedValues.map((rejection) => rejectionFaults(helm, rejection)));
  const faults = await Promise.all([
    ...[null, ...values].flatMap((file) => HELMS.map((helm) => lintFaults(helm, file))),
    valuesFaults(values),
    ...rejections,
  ]);
  return [
    // chart-testing finds only these names.
    ...files.filter((file) => !file.endsWith('-values.yaml')).map((file) => `rename ${file} to …-values.yaml`),
    ...faults.flat(),
  ];
}

async function valuesFaults(files) {
  const rendered = await Promise.all(
    files.map(async (where) => {
      const [documents, documents3] = await Promise.all(HELMS.map((helm) => template(where, [], helm)));
      return { where, documents, documents3 };
    }),
  );
  return [
    ...rendered
      .filter(({ documents, documents3 }) => !isDeepStrictEqual(documents, documents3))
      .map(({ where }) => `Helm 3 and Helm 4 render ${where} differently`),
    ...(await checkDocuments(rendered)),
    ...rendered.flatMap(({ documents, where }) => checkPromises(documents, where)),
  ];
}

/** @param file null lints without values, as `helm lint` and chart repositories do */
async function lintFaults(helm, file) {
  const values = file === null ? [] : ['--values', inRoot(file)];
  const { ok, output } = await run(helm, ['lint', inRoot(CHART), '--strict', '--quiet', ...values]);
  return ok ? [] : [`${helm} lint with ${file ?? 'the defaults'}: ${output}`];
}

async function rejectionFaults(helm, { values, because, release = 'gateway' }) {
  const args = ['template', release, inRoot(CHART), '--values', '-'];
  const { ok, output } = await run(helm, args, JSON.stringify(values));
  const what = `${release} ${JSON.stringify(values)}`;
  if (ok) return [`the chart accepts invalid values: ${what}`];
  return because.test(output) ? [] : [`${helm} rejects ${what} for an unexpected reason: ${output}`];
}
