import { Config } from '../../dist/src/config/config.js';
import { faultsOf } from './promql.js';

/** Of the form that each has to have, and none of it real. */
const SECRETS = {
  DATABASE_URL: 'postgres://gateway@db/gateway',
  GW_ADMIN_KEY: 'admin_gw_0123456789abcdef0123456789abcdef',
  GW_SECRET_KEY: Buffer.alloc(32).toString('base64'),
};
const WRITING_SECONDS = 15;
const ANNOTATION = 'nginx.ingress.kubernetes.io/';

/**
 * What no schema knows: the gateway itself takes the environment that a pod would give it, and the times and sizes around
 * it leave its own room.
 */
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
    'it may run as root': pod.securityContext.runAsNonRoot === true && pod.securityContext.runAsUser > 0,
    'its seccomp profile is not RuntimeDefault': pod.securityContext.seccompProfile?.type === 'RuntimeDefault',
    'it is no production': env.some(({ name, value }) => name === 'NODE_ENV' && value === 'production'),
    'its root file system may be written': securityContext.readOnlyRootFilesystem === true,
    'it may gain rights': securityContext.allowPrivilegeEscalation === false,
    'it keeps capabilities': securityContext.capabilities.drop.includes('ALL'),
    "it has a token of the cluster's": pod.automountServiceAccountToken === false,
    'a variable is there twice': new Set(names).size === names.length,
    'a secret is no reference': Object.keys(SECRETS).every(
      (name) => env.find((one) => one.name === name)?.valueFrom?.secretKeyRef,
    ),
  };
  return Object.keys(demands).filter((fault) => !demands[fault]);
}

function timeFaults(pod, { drainDelaySeconds, shutdownGraceSeconds }) {
  const expected = drainDelaySeconds + shutdownGraceSeconds + WRITING_SECONDS;
  const faults = [];
  if (pod.terminationGracePeriodSeconds !== expected)
    faults.push(`its grace period is ${pod.terminationGracePeriodSeconds} s and not ${expected}`);
  if (pod.containers[0].lifecycle !== undefined) faults.push('it has a hook, where the gateway drains by itself');
  return faults;
}

function ingressFaults({ metadata: { annotations = {} } }, config) {
  const get = (name) => annotations[`${ANNOTATION}${name}`];
  if (get('proxy-read-timeout') === undefined) return [];
  const silence = Math.max(config.upstreamHeadTimeoutMs, config.upstreamIdleTimeoutMs) / 1000;
  const faults = [];
  if (get('proxy-buffering') !== 'off') faults.push('the ingress buffers answers');
  if (Number(get('proxy-read-timeout')) <= silence) faults.push(`the ingress waits no longer than ${silence} s`);
  if (Number(get('proxy-body-size')) < config.fileMaxBytes) faults.push('the ingress takes no whole file');
  const other = Object.entries(annotations).filter(([, value]) => typeof value !== 'string');
  return [...faults, ...other.map(([name]) => `the annotation ${name} is no text`)];
}

/** The chart puts its own names and figures into the rules' text: where that text changes, it may find none of them. */
function ruleFaults({ metadata, spec }, { instanceMonthlyCap }) {
  const rules = spec.groups.flatMap((group) => group.rules);
  const expr = (name) => rules.find(({ alert }) => alert === name).expr;
  const faults = rules.flatMap((rule) => faultsOf(rule.expr).map((fault) => `${rule.alert}: ${fault}`));
  if (!expr('GatewayInstanceCapNear').includes(`> ${Math.floor(instanceMonthlyCap * 0.8)}`))
    faults.push('GatewayInstanceCapNear has another cap in mind');
  for (const label of [`service="${metadata.name}-metrics"`, `deployment="${metadata.name}"`])
    if (!expr('GatewayNoReadyReplica').includes(label)) faults.push(`GatewayNoReadyReplica does not ask for ${label}`);
  return faults;
}
