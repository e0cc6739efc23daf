import { startCluster } from './fake-cluster.js';
import { documentsOf, run } from './helm.js';
import { CHART, inRoot } from './paths.js';

const NAME = 'gateway-inference-gateway';
const SECRET = { kind: 'Secret', metadata: { name: 'inference-gateway' } };
const complete = { ...SECRET, data: { DATABASE_URL: '', GW_ADMIN_KEY: '', GW_SECRET_KEY: '' } };
/** A Deployment in the cluster. The managers that own the number of pods are in `owners`. */
const live = (replicas, owners = [], operation = 'Update') => {
  const { metadata, ...rest } = deployment(NAME, 'gateway', { replicas });
  const managedFields = ['helm', 'kube-controller-manager'].map((manager) => ({
    manager,
    operation: manager === 'helm' ? operation : 'Update',
    fieldsV1: owners.includes(manager) ? { 'f:spec': { 'f:replicas': {} } } : {},
  }));
  return { ...rest, metadata: { ...metadata, managedFields } };
};
const BOTH = ['helm', 'kube-controller-manager'];
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
const accounts = { kind: 'Secret', metadata: { name: 'accounts' }, data: { openai: '', team: '' } };
const routes = { kind: 'ConfigMap', metadata: { name: 'routes' }, data: { 'upstreams.yaml': '' } };
const models = { kind: 'ConfigMap', metadata: { name: 'models' } };
const robot = { kind: 'ServiceAccount', metadata: { name: 'robot' } };
const ACCOUNT = ['serviceAccount.create=false', 'serviceAccount.name=robot'];
const URI = ['secret.keys.DATABASE_URL.name=my-db-app', 'secret.keys.DATABASE_URL.key=uri'];
const PARTS = ['settings.PGHOST=db', 'settings.PGDATABASE=gateway'];
const USER = ['secret.keys.PGUSER.name=my-db-app', 'secret.keys.PGUSER.key=username'];
const SEVERAL = ['settings.GW_UPSTREAM_BASE_URL=null', 'upstreams.existingSecret=accounts'];
const IN_FILE = [
  ...SEVERAL,
  ...['name=openai', 'base_url=https://api.openai.com/v1'].map((field) => `upstreams.file.upstreams[0].${field}`),
];
const CREDENTIAL = [...IN_FILE, 'upstreams.file.upstreams[0].credential.file=openai'];
const ROUTES = [...SEVERAL, 'upstreams.existingConfigMap=routes'];
const IN_SECRET = [...SEVERAL, 'settings.GW_UPSTREAMS=/etc/gateway-upstreams/upstreams.yaml'];
const REGISTRY = ['modelRegistry.existingConfigMap=models'];

/** Each case has the objects that exist already. The outcome is an error, or a release with a number of pods, by default 2. */
const CASES = [
  // A new release starts with minReplicas.
  { objects: [complete], replicas: 2 },
  { objects: [complete], set: ['autoscaling.minReplicas=3'], replicas: 3 },
  { objects: [complete], set: ['autoscaling.enabled=false', 'replicaCount=1'], replicas: 1 },
  // Helm alone owns the number.
  { objects: [complete, live(4, ['helm'])], replicas: 4 },
  { objects: [complete, live(1, ['helm'])], replicas: 2 },
  { objects: [complete, live(0, ['helm'])], replicas: 0 },
  { objects: [complete, live(4, ['helm'], 'Apply')], replicas: 4 },
  // Helm 4 leaves the number to the autoscaler, if it applied the Deployment on the server. Otherwise it merges as Helm 3 does.
  { objects: [complete, live(4, ['kube-controller-manager'])], replicas: 4 },
  { objects: [complete, live(4, ['kube-controller-manager'], 'Apply')], replicasByHelm: { helm: undefined, helm3: 4 } },
  { objects: [complete, live(4, BOTH)], replicas: 4 },
  { objects: [complete, live(4, BOTH, 'Apply')], replicasByHelm: { helm: undefined, helm3: 4 } },
  { objects: [complete, live(4)], set: ['autoscaling.enabled=false', 'replicaCount=3'], replicas: 3 },
  { objects: [], because: /The Secret "inference-gateway" does not exist in the namespace "gateways"/ },
  { objects: [], set: ['secret.check=false'] },
  { objects: [{ ...SECRET, data: { DATABASE_URL: '' } }], because: /has no key "GW_ADMIN_KEY"/ },
  { objects: [complete], set: ['migrations.existingSecret=ddl'], because: /The Secret "ddl" does not exist/ },
  { objects: [complete, other], because: /"other" uses the key "DATABASE_URL" of the Secret "inference-gateway" too/ },
  { objects: [complete, other], set: ['secret.shared=true'] },
  { objects: [complete], set: ACCOUNT, because: /service account "robot" of serviceAccount does not exist/ },
  { objects: [complete, robot], set: ACCOUNT },
  { objects: [complete], set: URI, because: /The Secret "my-db-app" does not exist/ },
  { objects: [complete, app({ url: '' })], set: URI, because: /The Secret "my-db-app" has no key "uri"/ },
  { objects: [complete, app({ uri: '' }), other], set: URI },
  { objects: [complete], set: [...PARTS, ...USER], because: /"my-db-app" does not exist/ },
  { objects: [complete, inParts], set: PARTS, because: /The release "parts" uses the same database/ },
  { objects: [complete, inFiles], because: /The release "files" uses the key "DATABASE_URL" of the Secret/ },
  { objects: [complete, accounts], set: CREDENTIAL },
  { objects: [complete, accounts], set: IN_SECRET },
  { objects: [complete], set: CREDENTIAL, because: /The Secret "accounts" does not exist/ },
  { objects: [complete], set: [...CREDENTIAL, 'secret.check=false'] },
  { objects: [complete, { ...accounts, data: {} }], set: CREDENTIAL, because: /"accounts" has no key "openai"/ },
  { objects: [complete, accounts], set: ROUTES, because: /The ConfigMap "routes" does not exist/ },
  { objects: [complete, accounts, routes], set: ROUTES },
  {
    objects: [complete, accounts, routes],
    set: [...ROUTES, 'upstreams.key=accounts.yaml'],
    because: /The ConfigMap "routes" has no key "accounts\.yaml"/,
  },
  {
    objects: [complete, accounts, routes],
    set: [...ROUTES, 'upstreams.secretKeys.azure.name=accounts', 'upstreams.secretKeys.azure.key=azure'],
    because: /"accounts" has no key "azure"/,
  },
];

/** Each case has the objects and values before and after an upgrade, which must restart the pods or must not. */
const CHANGES = [
  { before: [complete], after: [complete], restarts: false },
  { before: [complete], after: [changed(complete)], restarts: true },
  { before: [complete], after: [changed(complete)], set: ['secret.mount=files'], restarts: true },
  { before: [complete], after: [changed(complete)], set: ['restartOnChange.checksum=false'], restarts: false },
  { before: [complete, models], after: [complete, changed(models)], set: REGISTRY, restarts: true },
  { before: [complete, models], after: [complete, changed(models)], restarts: false },
  // The gateway reads the upstreams and their secrets again while it runs.
  { before: [complete, accounts, routes], after: [complete, accounts, changed(routes)], set: ROUTES, restarts: false },
  { before: [complete, accounts, routes], after: [complete, changed(accounts), routes], set: ROUTES, restarts: false },
  { before: [complete, accounts, routes], after: [changed(complete), accounts, routes], set: ROUTES, restarts: true },
  {
    before: [complete, accounts],
    after: [complete, accounts],
    set: CREDENTIAL,
    setAfter: [...CREDENTIAL, 'upstreams.file.upstreams[0].region=eu'],
    restarts: false,
  },
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
  const faults = await Promise.all([...CASES.map(caseFaults), ...CHANGES.map(changeFaults)]);
  return faults.flat();
}

const HELMS = ['helm', 'helm3'];

async function caseFaults(one) {
  const faults = await withHelms(one.objects, one.set, (helm, result) =>
    outcomeFaults(helm, result, one).map((fault) => `${helm}, ${describe(one)}: ${fault}`),
  );
  return faults.flat();
}

async function changeFaults({ before, after, set = [], setAfter = set, restarts }) {
  const pod = (_helm, result) => JSON.stringify(podOf(result));
  const [old, current] = await Promise.all([withHelms(before, set, pod), withHelms(after, setAfter, pod)]);
  return HELMS.filter((_helm, at) => (old[at] !== current[at]) !== restarts).map(
    (helm) => `${helm}: after a change, the pods ${restarts ? 'do not restart' : 'restart'}: ${set.join(' ')}`,
  );
}

async function withHelms(objects, set, use) {
  const { address, stop } = await startCluster(objects);
  try {
    return await Promise.all(HELMS.map(async (helm) => use(helm, await rendered(helm, address, set))));
  } finally {
    stop();
  }
}

function podOf({ ok, output }) {
  if (!ok) throw new Error(output);
  return documentsOf(output, 'helm').find(({ kind }) => kind === 'Deployment').spec.template;
}

function rendered(helm, address, set = []) {
  const values = ['settings.GW_UPSTREAM_BASE_URL=https://provider.example/v1', ...set].flatMap((one) => ['--set', one]);
  return run(helm, [
    'template',
    'gateway',
    inRoot(CHART),
    '--namespace',
    'gateways',
    '--dry-run=server',
    '--kube-apiserver',
    address,
    '--disable-openapi-validation',
    ...values,
  ]);
}

function outcomeFaults(helm, { ok, output }, { replicas = 2, replicasByHelm, because }) {
  if (because)
    return !ok && because.test(output) ? [] : [`it is not rejected because of ${because}: ${output.slice(0, 500)}`];
  if (!ok) return [output];
  const { spec } = documentsOf(output, helm).find(({ kind }) => kind === 'Deployment');
  const expected = replicasByHelm === undefined ? replicas : replicasByHelm[helm];
  return spec.replicas === expected ? [] : [`it has ${spec.replicas} replicas instead of ${expected}`];
}

const describe = ({ objects, set = [] }) =>
  `${objects.map(({ kind, metadata, spec }) => `${kind} ${metadata.name} ${spec?.replicas ?? ''}`).join(', ')} ${set.join(' ')}`;
