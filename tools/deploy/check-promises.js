import { randomBytes } from 'node:crypto';
import { Config } from '../../dist/src/platform/config/config.js';
import { migrationFaults, policyFaults } from './check-hooks.js';
import { secretFaults, secretsOf } from './check-secrets.js';
import { upstreamsFaults, withUpstreams } from './check-upstreams.js';
import { faultsOf, scopeFaults } from './promql.js';

const SECRETS = {
  DATABASE_URL: 'postgres://gateway@db/gateway',
  GW_ADMIN_KEY: `admin_gw_${randomBytes(24).toString('hex')}`,
  GW_SECRET_KEY: randomBytes(32).toString('base64'),
  PGHOST: 'db',
  PGPORT: '5432',
  PGUSER: 'gateway',
};
const OWNER = { GW_OWNER_PASSWORD: 'correct horse battery' };
const NAMESPACE = 'gateways';
const WRITING_SECONDS = 15;
const ANNOTATION = 'nginx.ingress.kubernetes.io/';

/** Checks what no schema covers: the gateway's settings, minimal rights, and timeouts and size limits around the gateway. */
export function checkPromises(documents, where) {
  const faults = documents.flatMap((document) => {
    const pod = document.kind === 'Pod' ? document.spec : document.spec?.template?.spec;
    return (pod === undefined ? [] : podFaults(pod)).map((fault) => `${document.kind}: ${fault}`);
  });
  faults.push(...migrationFaults(documents), ...policyFaults(documents), ...upstreamsFaults(documents));
  const pod = documents.find(({ kind }) => kind === 'Deployment').spec.template.spec;
  const { config, problem } = configOf(pod, documents);
  if (config === undefined) faults.push(`the gateway would not start: ${problem}`);
  else faults.push(...timeFaults(pod, config), ...documents.flatMap((document) => aroundFaults(document, config)));
  return faults.map((fault) => `${where}: ${fault}`);
}

function aroundFaults(document, config) {
  if (document.kind === 'Ingress') return ingressFaults(document, config);
  return document.kind === 'PrometheusRule' ? ruleFaults(document, config) : [];
}

function configOf(pod, documents) {
  const [server] = pod.containers;
  const { env } = server;
  const taken = secretsOf(server);
  // The files of secrets exist only in a pod.
  const inFiles = env.map(({ name }) => name).filter((name) => name.replace(/_FILE$/, '') in SECRETS);
  const secrets = [...taken, ...inFiles.map((name) => name.replace(/_FILE$/, ''))];
  const given = env.filter(({ name, value }) => value !== undefined && !/_FILE$/.test(name) && !taken.includes(name));
  const values = Object.fromEntries(given.map(({ name, value }) => [name, value]));
  const known = Object.entries(SECRETS).filter(([name]) => secrets.includes(name) && !(name in values));
  const environment = { ...values, ...Object.fromEntries(known), ...('GW_OWNER_EMAIL' in values && OWNER) };
  try {
    return { config: withUpstreams(environment, pod, documents, (complete) => Config.from(complete)) };
  } catch (error) {
    return { problem: error.message };
  }
}

/** The chart's own containers. Containers that a user added are not checked. */
const OWN_CONTAINERS = ['gateway', 'check', 'migrate', 'answers', 'nothing'];

function podFaults(pod) {
  const containers = [...(pod.initContainers ?? []), ...pod.containers];
  const own = containers.filter(({ name }) => OWN_CONTAINERS.includes(name));
  // OpenShift assigns a user ID that is not 0.
  const { runAsNonRoot, runAsUser = 1, seccompProfile } = pod.securityContext;
  const demands = {
    'it can run as root': runAsNonRoot === true && runAsUser > 0,
    'its seccomp profile is not RuntimeDefault': seccompProfile?.type === 'RuntimeDefault',
    'it mounts a service account token': pod.automountServiceAccountToken === false,
  };
  const faults = Object.keys(demands).filter((fault) => !demands[fault]);
  return [
    ...faults,
    ...own.flatMap((one) =>
      [...containerFaults(one), ...secretFaults(pod, one)].map((fault) => `container ${one.name}: ${fault}`),
    ),
  ];
}

function containerFaults({ securityContext, resources, env }) {
  const names = (env ?? []).map((variable) => variable.name);
  const demands = {
    'its root file system is writable': securityContext.readOnlyRootFilesystem === true,
    'it can gain privileges': securityContext.allowPrivilegeEscalation === false,
    'it keeps capabilities': securityContext.capabilities.drop.includes('ALL'),
    'it has no resources, which a quota rejects': resources?.requests !== undefined,
    'NODE_ENV is not production': !env || env.some((one) => one.name === 'NODE_ENV' && one.value === 'production'),
    'a variable is defined twice': new Set(names).size === names.length,
  };
  return Object.keys(demands).filter((fault) => !demands[fault]);
}

function timeFaults(pod, { drainDelaySeconds, shutdownGraceSeconds }) {
  const expected = drainDelaySeconds + shutdownGraceSeconds + WRITING_SECONDS;
  const faults = [];
  if (pod.terminationGracePeriodSeconds !== expected)
    faults.push(`its grace period is ${pod.terminationGracePeriodSeconds} s instead of ${expected} s`);
  if (pod.containers[0].lifecycle !== undefined)
    faults.push('it has a lifecycle hook, but the gateway drains without one');
  return faults;
}

function ingressFaults({ metadata: { annotations = {} } }, config) {
  const get = (name) => annotations[`${ANNOTATION}${name}`];
  if (get('proxy-read-timeout') === undefined) return [];
  const own = (config.upstreams?.file.upstreams ?? []).flatMap(({ headMs, idleMs }) => [headMs ?? 0, idleMs ?? 0]);
  const silence = Math.max(config.upstreamHeadTimeoutMs, config.upstreamIdleTimeoutMs, ...own) / 1000;
  const faults = [];
  if (get('proxy-buffering') !== 'off') faults.push('the ingress buffers responses');
  if (Number(get('proxy-read-timeout')) <= silence)
    faults.push(`the ingress times out before the gateway does (${silence} s)`);
  if (Number(get('proxy-body-size')) < config.fileMaxBytes)
    faults.push('the ingress rejects files that the gateway accepts');
  const other = Object.entries(annotations).filter(([, value]) => typeof value !== 'string');
  return [...faults, ...other.map(([name]) => `the annotation ${name} is not a string`)];
}

/** The chart replaces text in the alert rules. A replacement fails silently if that text has changed. */
function ruleFaults({ metadata, spec }, { instanceMonthlyCap }) {
  const rules = spec.groups.flatMap((group) => group.rules);
  const release = { namespace: metadata.namespace ?? NAMESPACE, job: `${metadata.name}-metrics` };
  const faults = rules.flatMap((rule) =>
    [...faultsOf(rule.expr), ...scopeFaults(rule.expr, release)].map((fault) => `${rule.alert}: ${fault}`),
  );
  const cap = rules.find(({ alert }) => alert === 'GatewayInstanceCapNear')?.expr;
  if (cap !== undefined && !cap.includes(`> ${Math.floor(instanceMonthlyCap * 0.8)}`))
    faults.push('GatewayInstanceCapNear does not use the configured cap');
  return faults;
}
