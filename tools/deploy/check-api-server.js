// Compares the chart's rules with those of real Kubernetes API servers: `npm run check:cluster`. CONTRIBUTING.md describes how to get
// the servers.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Ajv from 'ajv';
import { parse } from 'yaml';
import { LOOSER, probes, SETTINGS, STRICTER } from './api-probes.data.js';
import { ApiServer, collectionOf, installedServers } from './api-server.js';
import { documentsOf, run } from './helm.js';
import { isBuiltIn } from './models.js';
import { CHART, inRoot } from './paths.js';

const REFUSED = 'Refused by the chart: ';
const REFUSAL = new RegExp(`^# ${REFUSED}(.*)$`, 'm');

const { folders, missing } = installedServers();
if (folders.length === 0) console.log('The check is skipped, because KUBEBUILDER_ASSETS is not set.');
else if (missing.length > 0) throw new Error(`KUBEBUILDER_ASSETS is incomplete: ${missing.join(', ')} is missing.`);
else await check();

async function check() {
  const work = mkdtempSync(join(tmpdir(), 'unchecked-charts-'));
  const servers = [];
  const end = async () => {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(work, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.once(signal, () => void end().then(() => process.exit(1)));
  try {
    for (const folder of folders) servers.push(await ApiServer.start(folder));
    const tools = { schemaFault: schemaFaults(), charts: uncheckedCharts(work), rejections: servers.map(rejectionsOf) };
    const sets = [...chartExamples(), ...probes];
    const faults = (await Promise.all(sets.map((values) => faultsOf(values, tools)))).flat();
    for (const server of servers)
      for (const helm of ['helm', 'helm3']) faults.push(...(await releaseFaults(server, helm)));
    const versions = servers.map(({ version }) => version).join(', ');
    console.log(`${sets.length} sets of values, Kubernetes ${versions}: ${faults.length} differences`);
    for (const fault of faults) console.log(`FAIL  ${fault}`);
    process.exitCode = faults.length === 0 ? 0 : 1;
  } finally {
    await end();
  }
}

// Copies of the chart that render any values, so that the API server can check the result. One copy has no rules. The other copy
// writes the errors of its templates as a comment.
function uncheckedCharts(work) {
  const rule = /\{\{ fail (\(printf .*\)) \}\}/;
  const copies = { silent: '', telling: `{{ printf "\\n# ${REFUSED}%s\\n" ($1 | toJson) }}` };
  for (const [name, replacement] of Object.entries(copies)) {
    const copy = join(work, name);
    cpSync(inRoot(CHART), copy, { recursive: true });
    rmSync(join(copy, 'values.schema.json'));
    const path = join(copy, 'templates/_refusals.tpl');
    const template = readFileSync(path, 'utf8');
    if (!rule.test(template)) throw new Error(`${path} does not match ${rule}.`);
    const checks = replacement === '' ? /list ("\w+Faults" ?)+/ : /$^/;
    writeFileSync(path, template.replace(rule, replacement).replace(checks, 'list'));
  }
  return { silent: join(work, 'silent'), telling: join(work, 'telling') };
}

function chartExamples() {
  const folder = inRoot(`${CHART}/ci`);
  return readdirSync(folder).map((name) => parse(readFileSync(join(folder, name), 'utf8')));
}

/** Validates values as Helm does, but thousands of them within a second. */
function schemaFaults() {
  const read = (name) => readFileSync(inRoot(`${CHART}/${name}`), 'utf8');
  const schema = JSON.parse(read('values.schema.json'));
  // The file uses Go's pattern syntax, and the API server does not check it.
  schema.$defs.upstreamsFile = {};
  const validate = new Ajv({ strict: false, allErrors: true }).compile(schema);
  const defaults = parse(read('values.yaml'));
  return (values) =>
    validate(merged(defaults, values))
      ? null
      : validate.errors.map(({ instancePath, message }) => `${instancePath} ${message}`).join(', ');
}

/** As in Helm, null removes a default. */
function merged(defaults, values) {
  const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isMap(defaults) || !isMap(values)) return values;
  const both = { ...defaults };
  for (const [name, value] of Object.entries(values)) {
    if (value === null || value === undefined) delete both[name];
    else both[name] = merged(defaults[name], value);
  }
  return both;
}

/** Most objects are the same for all values, so each is submitted once. */
function rejectionsOf(server) {
  const known = new Map();
  const rejection = (document) => {
    const text = JSON.stringify(document);
    if (!known.has(text)) known.set(text, server.rejection(document));
    return known.get(text);
  };
  return async (documents) => {
    const found = await Promise.all(documents.filter(isBuiltIn).map(rejection));
    const message = found.find((reason) => reason !== null);
    return message === undefined ? null : `Kubernetes ${server.version}: ${message}`;
  };
}

async function faultsOf(given, { schemaFault, charts, rejections }) {
  const text = JSON.stringify(given);
  const values = JSON.parse(text);
  const bySchema = schemaFault(values);
  const chart = bySchema === null ? charts.telling : charts.silent;
  const { ok, output } = await run('helm', ['template', 'gateway', chart, '--values', '-'], text);
  // Templates can fail on values that the schema rejects. Then there are no objects to submit.
  if (!ok) return bySchema === null ? [`Helm cannot render ${text}: ${output}`] : [];
  const refusal = bySchema ?? REFUSAL.exec(output)?.[1] ?? null;
  const documents = documentsOf(output, text);
  const reasons = await Promise.all(rejections.map((rejection) => rejection(documents)));
  const rejected = reasons.filter((reason) => reason !== null);
  if (refusal === null && rejected.every((reason) => LOOSER.some((rule) => rule.test(reason)))) return [];
  if (refusal === null) return rejected.map((reason) => `the chart accepts ${text}, but ${reason}`);
  if (rejected.length > 0 || STRICTER.some((rule) => rule.test(refusal))) return [];
  return [`Kubernetes accepts ${text}, but the chart does not: ${refusal}`];
}

/** A rejected pod stops a release before its migration. A new release has minReplicas, and keeps what the autoscaler has set. */
async function releaseFaults(server, helm) {
  const act = (verb, release, more, ...args) =>
    run(
      helm,
      [
        verb,
        release,
        inRoot(CHART),
        '--kubeconfig',
        server.kubeconfig,
        '--namespace',
        'gateways',
        ...args,
        '--values',
        '-',
      ],
      JSON.stringify({ settings: SETTINGS, secret: { check: false, shared: true }, ...more }),
    );
  const collection = (apiVersion, kind) => collectionOf({ apiVersion, kind });
  const ports = [1, 2].map((containerPort) => ({ containerPort, name: 'same' }));
  const refused = await act('install', `${helm}-refused`, { extraContainers: [{ name: 'a', image: 'a', ports }] });
  const jobs = (await server.call('GET', collection('batch/v1', 'Job'))).body.items;
  const stopped = !refused.ok && /preflight/.test(refused.output) && jobs.length === 0;

  const release = `${helm}-fresh`;
  const path = `${collection('apps/v1', 'Deployment')}/${release}-inference-gateway`;
  const replicas = async () => (await server.call('GET', path)).body.spec?.replicas;
  const installed = await act('install', release, {}, '--no-hooks');
  const first = await replicas();
  await server.call('PATCH', `${path}/scale`, { spec: { replicas: 5 } }, 'application/merge-patch+json');
  const upgraded = await act('upgrade', release, {}, '--no-hooks');
  const then = await replicas();
  return [
    ...(stopped ? [] : [`${helm} does not stop at the preflight: ${refused.output}`]),
    ...(first === 2 ? [] : [`${helm} installs ${first} pods: ${installed.output}`]),
    ...(then === 5 ? [] : [`${helm} upgrades from 5 to ${then} pods: ${upgraded.output}`]),
  ].map((fault) => `Kubernetes ${server.version}: ${fault}`);
}
