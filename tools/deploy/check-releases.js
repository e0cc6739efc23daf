import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { alertTests, RELEASES, standaloneTests } from './alert-tests.data.js';
import { promtool } from './binaries.js';
import { documentsOf, run } from './helm.js';
import { ALERTS, CHART, inRoot } from './paths.js';

const LONG = 'a-release-with-a-name-that-is-longer-than-40-';

/** Checks that two releases share no names, rules or dashboards. The rules run in promtool if it is installed. */
export async function checkReleases() {
  const rendered = await Promise.all(RELEASES.map(render));
  return [
    ...(await nameFaults()),
    ...dashboardFaults(rendered),
    ...ruleFaults(rendered.map((documents) => specOf(documents))),
  ];
}

async function render({ release, namespace, cap }) {
  const values = {
    settings: { GW_UPSTREAM_BASE_URL: 'https://provider.example/v1', GW_INSTANCE_MONTHLY_CAP: cap },
    prometheusRule: { enabled: true },
    grafanaDashboard: { enabled: true },
  };
  const args = ['template', release, inRoot(CHART), '--namespace', namespace, '--values', '-'];
  const { ok, output } = await run('helm', args, JSON.stringify(values));
  if (!ok) throw new Error(output);
  return documentsOf(output, `${namespace}/${release}`);
}

const specOf = (documents) => documents.find(({ kind }) => kind === 'PrometheusRule').spec;

async function nameFaults() {
  const rendered = await Promise.all(
    ['one', 'two'].map((end) => render({ release: LONG + end, namespace: 'gateways' })),
  );
  const names = rendered.map((documents) => documents.find(({ kind }) => kind === 'Deployment').metadata.name);
  const long = names.filter((name) => name.length > 40).map((name) => `the name ${name} is longer than 40 characters`);
  return names[0] === names[1] ? [...long, `two releases have the name ${names[0]}`] : long;
}

function dashboardFaults(rendered) {
  const maps = rendered.map((documents) => documents.find(({ kind }) => kind === 'ConfigMap').data);
  const dashboards = maps.map((data) => JSON.parse(Object.values(data)[0]));
  const facts = {
    'file name': maps.map((data) => Object.keys(data)[0]),
    uid: dashboards.map(({ uid }) => uid),
    title: dashboards.map(({ title }) => title),
  };
  const long = facts.uid.filter((uid) => uid.length > 40).map((uid) => `Grafana rejects the long uid ${uid}`);
  const shared = Object.keys(facts).filter((fact) => new Set(facts[fact]).size !== RELEASES.length);
  return [...long, ...shared.map((fact) => `dashboards of two releases have the same ${fact}`)];
}

function ruleFaults(specs) {
  const tool = promtool();
  if (tool === undefined) {
    process.stdout.write(
      '      promtool is not installed, so the rules are only parsed (Debian: apt-get install prometheus)\n',
    );
    return [];
  }
  const folder = mkdtempSync(join(tmpdir(), 'rules-'));
  try {
    const files = specs.map((spec, at) => write(folder, `rules-${at}.yaml`, spec));
    const standalone = { evaluation_interval: '1m', tests: standaloneTests, rule_files: [inRoot(ALERTS)] };
    const tests = { evaluation_interval: '1m', tests: alertTests };
    return [
      ...[inRoot(ALERTS), ...files].flatMap((file) => faultsOfTool(tool, ['check', 'rules', file])),
      ...faultsOfTool(tool, ['test', 'rules', write(folder, 'tests.yaml', { ...tests, rule_files: files })]),
      ...faultsOfTool(tool, ['test', 'rules', write(folder, 'standalone.yaml', standalone)]),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function write(folder, name, content) {
  const path = join(folder, name);
  writeFileSync(path, stringify(content));
  return path;
}

function faultsOfTool(tool, args) {
  const { status, stdout, stderr } = spawnSync(tool, args, { encoding: 'utf8' });
  return status === 0 ? [] : [`promtool ${args.slice(0, 2).join(' ')}: ${stdout}${stderr}`];
}
