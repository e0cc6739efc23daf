import { isDeepStrictEqual } from 'node:util';

const HOOK = 'helm.sh/hook';
const DATABASE = /^(PG|DATABASE_URL|GW_MIGRATION_|GW_DATABASE_PASSWORD_)/;
const componentOf = ({ metadata }) => metadata.labels?.['app.kubernetes.io/component'];

/** Checks the order of hooks, the deadlines of the Job, and what `helm uninstall` removes. */
export function migrationFaults(documents) {
  const hooks = documents.filter((one) => componentOf(one) === 'migrate');
  const job = hooks.find(({ kind, spec }) => kind === 'Job' && spec.completions !== 0);
  if (job === undefined) return [];
  const { spec } = job;
  const pod = spec.template.spec;
  const before = hooks.filter(({ kind }) => kind !== 'Job');
  const weight = ({ metadata }) => Number(metadata.annotations[`${HOOK}-weight`]);
  const atDelete = hooks.filter(({ metadata }) => metadata.annotations[HOOK].split(',').includes('pre-delete'));
  const removed = new Set(atDelete.map(({ kind, metadata }) => `${kind}/${metadata.name}`));
  const [deployment, copy] = documents.filter(({ kind }) => kind === 'Deployment');
  const server = deployment.spec.template.spec.containers[0];
  const demands = {
    'the Job stops with its log before the pod does': pod.activeDeadlineSeconds < spec.activeDeadlineSeconds,
    'an invalid setting is retried': spec.podFailurePolicy.rules.some(({ onExitCodes }) =>
      onExitCodes?.values.includes(78),
    ),
    'its policy or account comes after it': before.every((one) => weight(one) < weight(job)),
    'uninstall leaves a hook behind': hooks.every(({ kind, metadata }) => removed.has(`${kind}/${metadata.name}`)),
    'it gets a Secret that is not for the database': pod.containers[0].env.every(
      ({ name, valueFrom }) => valueFrom?.secretKeyRef === undefined || DATABASE.test(name),
    ),
    'the cluster does not check the pods before the migration':
      copy !== undefined &&
      isDeepStrictEqual(copy.spec.template.spec.containers, deployment.spec.template.spec.containers),
    'the copy of the Deployment starts pods': copy?.spec.replicas === 0,
    'the environment of the server is not checked': isDeepStrictEqual(pod.initContainers[0].env, server.env),
  };
  return Object.keys(demands)
    .filter((fault) => !demands[fault])
    .map((fault) => `migration: ${fault}`);
}

/** `helm test` must reach the gateway regardless of what `networkPolicy.from` allows. */
export function policyFaults(documents) {
  const policies = documents.filter(({ kind }) => kind === 'NetworkPolicy');
  const selects = ({ podSelector }, component) =>
    podSelector?.matchLabels?.['app.kubernetes.io/component'] === component;
  const server = policies.find(({ spec }) => selects(spec, 'gateway'));
  if (server === undefined) return [];
  const [{ from }, metrics] = server.spec.ingress;
  const submitted = policies.some(
    (one) => one.metadata.annotations?.[HOOK] !== undefined && isDeepStrictEqual(one.spec.ingress, server.spec.ingress),
  );
  const hasJob = documents.some((one) => one.kind === 'Job');
  const allowed = from === undefined || from.some((peer) => selects(peer, 'test'));
  const missing = ['migrate', 'test'].filter(
    (component) =>
      documents.some((one) => componentOf(one) === component) && !policies.some(({ spec }) => selects(spec, component)),
  );
  return [
    ...(metrics === undefined || metrics.from !== undefined ? [] : ['the metrics port is open to everyone']),
    ...(submitted || !hasJob ? [] : ['the cluster does not check the rules of the NetworkPolicy before the migration']),
    ...(allowed ? [] : ['the NetworkPolicy does not let the test pod in']),
    ...missing.map((component) => `no NetworkPolicy is for the ${component} pod`),
  ];
}
