import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { documentsOf, run } from './helm.js';
import { CHART, inRoot } from './paths.js';

const NAME = 'gateway-inference-gateway';
const SECRET = { kind: 'Secret', metadata: { name: 'inference-gateway' } };
const complete = { ...SECRET, data: { DATABASE_URL: '', GW_ADMIN_KEY: '', GW_SECRET_KEY: '' } };
const live = (replicas) => deployment(NAME, 'gateway', { replicas });
const other = deployment('other', 'other', {
  template: { spec: { containers: [{ env: [{ name: 'DATABASE_URL', ...fromSecret('inference-gateway') }] }] } },
});

const inFiles = deployment('files', 'files', {
  template: {
    spec: {
      containers: [{}],
      volumes: [{ name: 'gateway-secrets', projected: { sources: [fileOf('inference-gateway')] } }],
    },
  },
});
const inParts = deployment('parts', 'parts', {
  template: {
    spec: {
      containers: [
        {
          env: [
            { name: 'PGHOST', value: 'db' },
            { name: 'PGDATABASE', value: 'gateway' },
          ],
        },
      ],
    },
  },
});
const models = { kind: 'ConfigMap', metadata: { name: 'models' } };
const URI = ['secret.keys.DATABASE_URL.name=my-db-app', 'secret.keys.DATABASE_URL.key=uri'];
const PARTS = ['settings.PGHOST=db', 'settings.PGDATABASE=gateway'];
const USER = ['secret.keys.PGUSER.name=my-db-app', 'secret.keys.PGUSER.key=username'];
const REGISTRY = ['modelRegistry.existingConfigMap=models'];

/** Objects that exist already, and the expected outcome: a rendered number of pods, or an error. */
const CASES = [
  { objects: [complete], replicas: 2 },
  { objects: [complete, live(4)], replicas: 4 },
  { objects: [complete, live(1)], replicas: 2 },
  { objects: [complete, live(0)], replicas: 0 },
  { objects: [complete, live(4)], set: ['autoscaling.enabled=false', 'replicaCount=3'], replicas: 3 },
  { objects: [], because: /The Secret "inference-gateway" does not exist in the namespace "gateways"/ },
  { objects: [], set: ['secret.check=false'], replicas: 2 },
  { objects: [{ ...SECRET, data: { DATABASE_URL: '' } }], because: /has no key "GW_ADMIN_KEY"/ },
  { objects: [complete], set: ['migrations.existingSecret=ddl'], because: /The Secret "ddl" does not exist/ },
  { objects: [complete, other], because: /"other" uses the key "DATABASE_URL" of the Secret "inference-gateway" too/ },
  { objects: [complete, other], set: ['secret.shared=true'], replicas: 2 },
  { objects: [complete], set: URI, because: /The Secret "my-db-app" does not exist/ },
  { objects: [complete, app({ url: '' })], set: URI, because: /The Secret "my-db-app" has no key "uri"/ },
  { objects: [complete, app({ uri: '' }), other], set: URI, replicas: 2 },
  { objects: [complete], set: [...PARTS, ...USER], because: /"my-db-app" does not exist/ },
  { objects: [complete, inParts], set: PARTS, because: /The release "parts" uses the same database/ },
  { objects: [complete, inFiles], because: /The release "files" uses the key "DATABASE_URL" of the Secret/ },
];

/** Cases in which an upgrade must restart the pods, or must not: objects before and after. */
const CHANGES = [
  { before: [complete], after: [complete], restarts: false },
  { before: [complete], after: [changed(complete)], restarts: true },
  { before: [complete], after: [changed(complete)], set: ['secret.mount=files'], restarts: true },
  { before: [complete], after: [changed(complete)], set: ['restartOnChange.checksum=false'], restarts: false },
  { before: [complete, models], after: [complete, changed(models)], set: REGISTRY, restarts: true },
  { before: [complete, models], after: [complete, changed(models)], restarts: false },
  { before: [complete, app({ uri: '' })], after: [complete, changed(app({ uri: '' }))], set: URI, restarts: true },
];

function app(data) {
  return { kind: 'Secret', metadata: { name: 'my-db-app' }, data };
}

function changed(object) {
  return { ...object, metadata: { ...object.metadata, resourceVersion: '2' } };
}

function deployment(name, instance, spec) {
  const labels = { 'app.kubernetes.io/name': 'inference-gateway', 'app.kubernetes.io/instance': instance };
  const owner = { 'meta.helm.sh/release-name': instance, 'meta.helm.sh/release-namespace': 'gateways' };
  return {
    kind: 'Deployment',
    metadata: { name, labels: { ...labels, 'app.kubernetes.io/managed-by': 'Helm' }, annotations: owner },
    spec,
  };
}

function fileOf(name) {
  return { secret: { name, items: [{ key: 'DATABASE_URL', path: 'DATABASE_URL' }] } };
}

function fromSecret(name) {
  return { valueFrom: { secretKeyRef: { name, key: 'DATABASE_URL' } } };
}

/** Renders the chart against an API server, because lookups find nothing in `helm template` alone. */
export async function checkCluster() {
  const faults = [];
  for (const one of CASES) {
    const { address, stop } = await cluster(one.objects);
    for (const helm of ['helm', 'helm3'])
      faults.push(...caseFaults(helm, address, one).map((fault) => `${helm}, ${describe(one)}: ${fault}`));
    await stop();
  }
  for (const one of CHANGES) faults.push(...(await changeFaults(one)));
  return faults;
}

async function changeFaults({ before, after, set = [], restarts }) {
  const pods = [];
  for (const objects of [before, after]) {
    const { address, stop } = await cluster(objects);
    pods.push(...['helm', 'helm3'].map((helm) => JSON.stringify(podOf(rendered(helm, address, set)))));
    await stop();
  }
  const [old, old3, current, current3] = pods;
  const outcome = { helm: old !== current, helm3: old3 !== current3 };
  return Object.keys(outcome)
    .filter((helm) => outcome[helm] !== restarts)
    .map((helm) => `${helm}: after a change, the pods ${restarts ? 'do not restart' : 'restart'}: ${set.join(' ')}`);
}

function podOf({ ok, output }) {
  if (!ok) throw new Error(output);
  return documentsOf(output, 'helm').find(({ kind }) => kind === 'Deployment').spec.template;
}

async function cluster(objects) {
  const server = spawn(process.execPath, [join(import.meta.dirname, 'fake-cluster.js'), JSON.stringify(objects)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [port] = await once(server.stdout, 'data');
  const stop = async () => {
    server.stdin.end();
    await once(server, 'exit');
  };
  return { address: `http://127.0.0.1:${String(port).trim()}`, stop };
}

function rendered(helm, address, set) {
  const values = ['settings.GW_UPSTREAM_BASE_URL=https://provider.example/v1', ...set].flatMap((one) => ['--set', one]);
  return run(helm, [
    ...['template', 'gateway', inRoot(CHART), '--namespace', 'gateways', '--dry-run=server'],
    ...['--kube-apiserver', address, '--disable-openapi-validation', ...values],
  ]);
}

function caseFaults(helm, address, { set = [], replicas, because }) {
  const { ok, output } = rendered(helm, address, set);
  if (because)
    return !ok && because.test(output) ? [] : [`it is not rejected because of ${because}: ${output.slice(0, 500)}`];
  if (!ok) return [output];
  const { spec } = documentsOf(output, helm).find(({ kind }) => kind === 'Deployment');
  return spec.replicas === replicas ? [] : [`it has ${spec.replicas} replicas instead of ${replicas}`];
}

const describe = ({ objects, set = [] }) =>
  `${objects.map(({ kind, metadata, spec }) => `${kind} ${metadata.name} ${spec?.replicas ?? ''}`).join(', ')} ${set.join(' ')}`;
