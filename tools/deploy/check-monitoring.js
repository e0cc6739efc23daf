import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { SETTINGS } from '../../dist/src/platform/config/settings.data.js';
import { ALERTS, DASHBOARD, inRoot } from './paths.js';
import { faultsOf, scopeFaults } from './promql.js';
import { EXPLAINED_ALERTS, runbookUrl } from './runbook.js';

const DURATION = /^\d+(s|m|h|d)$/;
const read = (path) => readFileSync(inRoot(path), 'utf8');

export function checkMonitoring() {
  const rules = parse(read(ALERTS)).groups.flatMap((group) => group.rules);
  const names = rules.map(({ alert }) => alert);
  const repeated = names.filter((name, at) => names.indexOf(name) !== at);
  return [
    ...repeated.map((name) => `${ALERTS}: ${name} is defined twice`),
    ...rules.flatMap((rule) => alertFaults(rule).map((fault) => `${ALERTS}: ${rule.alert}: ${fault}`)),
    ...capFaults(rules),
    ...runbookFaults(new Set(names)),
    ...queries().flatMap(({ title, expr }) => faultsOf(expr).map((fault) => `${DASHBOARD}: ${title}: ${fault}`)),
  ];
}

function alertFaults({ alert, expr, for: duration, labels, annotations }) {
  const faults = [...faultsOf(expr), ...scopeFaults(expr)];
  if (duration !== undefined && !DURATION.test(duration)) faults.push(`for: ${duration} is not a duration`);
  if (!['critical', 'warning'].includes(labels?.severity)) faults.push('its severity is neither critical nor warning');
  if (!annotations?.summary) faults.push('it has no summary');
  const url = runbookUrl(alert);
  if (annotations?.runbook_url !== url) faults.push(`its runbook_url is not ${url}`);
  return faults;
}

/** The file contains the threshold for the default cap. The chart replaces it with its own. */
function capFaults(rules) {
  const expected = `> ${SETTINGS.instanceMonthlyCap.byDefault * 0.8}`;
  const { expr } = rules.find(({ alert }) => alert === 'GatewayInstanceCapNear');
  return expr.includes(expected) ? [] : [`${ALERTS}: GatewayInstanceCapNear does not contain ${expected}`];
}

function runbookFaults(names) {
  const missing = [...names].filter((name) => !EXPLAINED_ALERTS.includes(name)).map((name) => `${name} has no heading`);
  const obsolete = EXPLAINED_ALERTS.filter((heading) => !names.has(heading)).map(
    (heading) => `the alert ${heading} does not exist`,
  );
  return [...missing, ...obsolete].map((fault) => `docs/runbook: ${fault}`);
}

function queries() {
  const { panels } = JSON.parse(read(DASHBOARD));
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ title, expr: expr.replaceAll('$__rate_interval', '1m').replaceAll(/\$\w+/g, '.*') })),
  );
}
