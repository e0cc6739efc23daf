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
  { objects: [complete, other], because: /The release "other" uses the Secret "inference-gateway" too/ },
  { objects: [complete, other], set: ['secret.shared=true'], replicas: 2 },
];

function deployment(name, instance, spec) {
  const labels = { 'app.kubernetes.io/name': 'inference-gateway', 'app.kubernetes.io/instance': instance };
  const owner = { 'meta.helm.sh/release-name': instance, 'meta.helm.sh/release-namespace': 'gateways' };
  return {
    kind: 'Deployment',
    metadata: { name, labels: { ...labels, 'app.kubernetes.io/managed-by': 'Helm' }, annotations: owner },
    spec,
  };
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
  return faults;
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

function caseFaults(helm, address, { set = [], replicas, because }) {
  const values = ['settings.GW_UPSTREAM_BASE_URL=https://provider.example/v1', ...set].flatMap((one) => ['--set', one]);
  const { ok, output } = run(helm, [
    ...['template', 'gateway', inRoot(CHART), '--namespace', 'gateways', '--dry-run=server'],
    ...['--kube-apiserver', address, '--disable-openapi-validation', ...values],
  ]);
  if (because)
    return !ok && because.test(output) ? [] : [`it is not rejected because of ${because}: ${output.slice(0, 500)}`];
  if (!ok) return [output];
  const { spec } = documentsOf(output, helm).find(({ kind }) => kind === 'Deployment');
  return spec.replicas === replicas ? [] : [`it has ${spec.replicas} replicas instead of ${replicas}`];
}

const describe = ({ objects, set = [] }) =>
  `${objects.map(({ kind, metadata, spec }) => `${kind} ${metadata.name} ${spec?.replicas ?? ''}`).join(', ')} ${set.join(' ')}`;
