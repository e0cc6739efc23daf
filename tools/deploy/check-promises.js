import { Config } from '../../dist/src/config/config.js';
import { faultsOf } from './promql.js';

const SECRETS = {
  DATABASE_URL: 'postgres://gateway@db/gateway',
  GW_ADMIN_KEY: 'admin_gw_0123456789abcdef0123456789abcdef',
  GW_SECRET_KEY: Buffer.alloc(32).toString('base64'),
};
const WRITING_SECONDS = 15;
const ANNOTATION = 'nginx.ingress.kubernetes.io/';

/** Checks what no schema covers: the gateway's settings, minimal rights, and timeouts and size limits around the gateway. */
export function checkPromises(documents, where) {
  const faults = documents.flatMap((document) => {
    const pod = document.spec?.template?.spec;
    return (pod === undefined ? [] : podFaults(pod)).map((fault) => `${document.kind}: ${fault}`);
  });
  const pod = documents.find(({ kind }) => kind === 'Deployment').spec.template.spec;
  const { config, refusal } = configOf(pod);
  if (config === undefined) faults.push(`the gateway would not start: ${refusal}`);
  else faults.push(...timeFaults(pod, config), ...documents.flatMap((document) => aroundFaults(document, config)));
  return faults.map((fault) => `${where}: ${fault}`);
}

function aroundFaults(document, config) {
  if (document.kind === 'Ingress') return ingressFaults(document, config);
  return document.kind === 'PrometheusRule' ? ruleFaults(document, config) : [];
}

function configOf({ containers }) {
  const given = containers[0].env.filter(({ value }) => value !== undefined).map(({ name, value }) => [name, value]);
  try {
    return { config: Config.from({ ...Object.fromEntries(given), ...SECRETS }) };
  } catch (error) {
    return { refusal: error.message };
  }
}

function podFaults(pod) {
  const [{ securityContext, env }] = pod.containers;
  const names = env.map(({ name }) => name);
  const demands = {
    'it can run as root': pod.securityContext.runAsNonRoot === true && pod.securityContext.runAsUser > 0,
    'its seccomp profile is not RuntimeDefault': pod.securityContext.seccompProfile?.type === 'RuntimeDefault',
    'NODE_ENV is not production': env.some(({ name, value }) => name === 'NODE_ENV' && value === 'production'),
    'its root file system is writable': securityContext.readOnlyRootFilesystem === true,
    'it can gain privileges': securityContext.allowPrivilegeEscalation === false,
    'it keeps capabilities': securityContext.capabilities.drop.includes('ALL'),
    'it mounts a service account token': pod.automountServiceAccountToken === false,
    'a variable is defined twice': new Set(names).size === names.length,
    'a secret is not a reference': Object.keys(SECRETS).every(
      (name) => env.find((one) => one.name === name)?.valueFrom?.secretKeyRef,
    ),
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
  const silence = Math.max(config.upstreamHeadTimeoutMs, config.upstreamIdleTimeoutMs) / 1000;
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
  const expr = (name) => rules.find(({ alert }) => alert === name).expr;
  const faults = rules.flatMap((rule) => faultsOf(rule.expr).map((fault) => `${rule.alert}: ${fault}`));
  if (!expr('GatewayInstanceCapNear').includes(`> ${Math.floor(instanceMonthlyCap * 0.8)}`))
    faults.push('GatewayInstanceCapNear does not use the configured cap');
  for (const label of [`service="${metadata.name}-metrics"`, `deployment="${metadata.name}"`])
    if (!expr('GatewayNoReadyReplica').includes(label)) faults.push(`GatewayNoReadyReplica does not select ${label}`);
  return faults;
}
