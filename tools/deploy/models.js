/**
 * Packages with the published OpenAPI schemas of three Kubernetes versions: the oldest supported version, an intermediate one, and
 * the newest.
 */
const KUBERNETES = {
  1.27: 'kubernetes-models-1.27',
  1.33: 'kubernetes-models-1.33',
  1.36: 'kubernetes-models',
};
export const VERSIONS = Object.keys(KUBERNETES);

const BUILT_IN = new Set(['v1', 'apps/v1', 'autoscaling/v2', 'batch/v1', 'networking.k8s.io/v1', 'policy/v1']);
const CUSTOM = {
  'gateway.networking.k8s.io/v1': '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1',
  'monitoring.coreos.com/v1': '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
};

const modules = Object.values(KUBERNETES).flatMap((name) => [...BUILT_IN].map((api) => `${name}/${api}`));
const loaded = new Map();
for (const module of [...modules, ...Object.values(CUSTOM)]) loaded.set(module, await import(module));

/** Custom resources do not depend on the Kubernetes version. */
export const isBuiltIn = ({ apiVersion }) => BUILT_IN.has(apiVersion);

export function modelOf(document, version = VERSIONS.at(-1)) {
  const model = loaded.get(moduleOf(document, version))[document.kind];
  if (model === undefined)
    throw new Error(`There is no schema for ${document.apiVersion} ${document.kind}. Add it to models.js.`);
  return model;
}

/** The type's name is `I` plus the kind. */
export function moduleOf(document, version = VERSIONS.at(-1)) {
  const { apiVersion } = document;
  const module = isBuiltIn(document) ? `${KUBERNETES[version]}/${apiVersion}` : CUSTOM[apiVersion];
  if (module === undefined) throw new Error(`There is no schema for ${apiVersion}. Add it to models.js.`);
  return module;
}
