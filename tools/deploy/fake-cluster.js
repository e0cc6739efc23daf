import { createServer } from 'node:http';
import { once } from 'node:events';

const GROUPS = {
  'apps/v1': ['Deployment'],
  'autoscaling/v2': ['HorizontalPodAutoscaler'],
  'batch/v1': ['Job'],
  'networking.k8s.io/v1': ['NetworkPolicy', 'Ingress'],
  'policy/v1': ['PodDisruptionBudget'],
};
const CORE = ['Secret', 'Service', 'ServiceAccount', 'ConfigMap', 'Pod'];

/** Starts a Kubernetes API server from which Helm can read the given objects. */
export async function startCluster(objects) {
  const server = createServer(({ url }, response) => {
    const body = answerTo(new URL(url, 'http://cluster').pathname, objects);
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? notFound));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { address: `http://127.0.0.1:${server.address().port}`, stop };
}

const notFound = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 };
const pluralOf = (kind) => `${kind.toLowerCase().replace(/y$/, 'ie')}${/s$/i.test(kind) ? 'es' : 's'}`;

function answerTo(path, objects) {
  if (path === '/version') return { major: '1', minor: '36', gitVersion: 'v1.36.3' };
  if (path === '/api') return { kind: 'APIVersions', versions: ['v1'] };
  if (path === '/apis') return { kind: 'APIGroupList', apiVersion: 'v1', groups: Object.keys(GROUPS).map(groupOf) };
  if (path === '/api/v1') return resourcesOf('v1', CORE);
  const [, , group] = /^\/(apis)\/(.+)$/.exec(path) ?? [];
  if (group in GROUPS) return resourcesOf(group, GROUPS[group]);
  const [, namespace, plural, name] = /\/namespaces\/([^/]+)\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? [];
  if (namespace === undefined) return undefined;
  const found = objects.filter(
    ({ kind, metadata }) => pluralOf(kind) === plural && (metadata.namespace ?? namespace) === namespace,
  );
  if (name !== undefined) return found.find(({ metadata }) => metadata.name === name);
  return { kind: 'List', apiVersion: 'v1', metadata: {}, items: found };
}

function groupOf(groupVersion) {
  const [name, version] = groupVersion.split('/');
  const preferredVersion = { groupVersion, version };
  return { name, versions: [preferredVersion], preferredVersion };
}

const resourcesOf = (groupVersion, kinds) => ({
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion,
  resources: kinds.map((kind) => ({ name: pluralOf(kind), kind, namespaced: true, verbs: ['get', 'list'] })),
});
