import { isDeepStrictEqual } from 'node:util';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';

const FILE = 'GW_UPSTREAMS';
const VOLUME = 'upstreams';
/** Stands for an existing ConfigMap. */
const SAMPLE = stringify({ upstreams: [{ name: 'sample', base_url: 'https://provider.example/v1' }] });

/**
 * Calls `use` with an environment whose upstreams file is that of the pod's ConfigMap. Each secret that the file names has a
 * value.
 */
export function withUpstreams(environment, pod, documents, use) {
  if (environment[FILE] === undefined) return use(environment);
  const folder = mkdtempSync(join(tmpdir(), 'upstreams-'));
  try {
    const content = parse(textOf(pod, documents) ?? SAMPLE);
    const variables = {};
    for (const { credential, headers = {}, tls, ...upstream } of content.upstreams) {
      for (const { env, file } of [credential, ...Object.values(headers)].filter(isReference)) {
        if (env !== undefined) variables[env] = SECRET;
        else writeFileSync(join(folder, file), SECRET);
      }
      // A certificate exists only in a cluster.
      if (tls !== undefined) delete content.upstreams.find(({ name }) => name === upstream.name).tls;
    }
    const path = join(folder, 'upstreams.yaml');
    writeFileSync(path, stringify(content));
    return use({ ...environment, ...variables, [FILE]: path });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const SECRET = 'a-secret-of-the-provider';
const isReference = (value) => typeof value === 'object' && value !== null;

/** The Job checks the file that the pods get, and Kubernetes updates it in running pods. */
export function upstreamsFaults(documents) {
  const { spec } = documents.find(({ kind }) => kind === 'Deployment').spec.template;
  const [server] = spec.containers;
  const path = server.env.find(({ name }) => name === FILE)?.value;
  const mount = mountOf(server);
  if (path === undefined || mount === undefined)
    return path === undefined && mount === undefined
      ? []
      : ['the upstreams file and its volume do not belong together'];
  const job = documents.find((one) => one.kind === 'Job' && one.spec.completions !== 0)?.spec.template.spec;
  const demands = {
    'the upstreams file is not in its volume': dirname(path) === mount.mountPath,
    'Kubernetes does not update a mount with subPath': mount.subPath === undefined,
    'the migration can read the secrets of the upstreams': !job || mountOf(job.containers[0]) === undefined,
    'the Job does not check the file of the pods':
      !job || isDeepStrictEqual(textOf(job, documents), textOf(spec, documents)),
    'the Job needs a ConfigMap that does not exist at the first install': !job || !isLate(configMapOf(job, documents)),
    'the pods have a setting of a single account': server.env.every(({ name }) => !SINGLE.test(name)),
    'the Job does not have the secrets of the pods': !job || isDeepStrictEqual(secretsIn(job), secretsIn(spec)),
  };
  return Object.keys(demands).filter((fault) => !demands[fault]);
}

const SINGLE = /^GW_UPSTREAM_(MESSAGES_)?(BASE_URL|API_KEY)(_FILE)?$/;
/** Helm creates the objects of a release after its hooks. */
const isLate = (object) => object !== undefined && object.metadata.annotations?.['helm.sh/hook'] === undefined;
const mountOf = ({ volumeMounts }) => volumeMounts.find(({ name }) => name === VOLUME);
const sourcesOf = ({ volumes }) => volumes.find(({ name }) => name === VOLUME)?.projected.sources ?? [];
const secretsIn = (pod) => sourcesOf(pod).flatMap(({ secret }) => secret ?? []);

const configMapSource = (pod) => sourcesOf(pod).find(({ configMap }) => configMap !== undefined)?.configMap;

/** Returns undefined if the ConfigMap is not part of the release. */
function configMapOf(pod, documents) {
  const wanted = configMapSource(pod)?.name;
  return documents.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === wanted);
}

const textOf = (pod, documents) => configMapOf(pod, documents)?.data[configMapSource(pod).items[0].key];
