import { stringify } from 'yaml';
import { template } from './helm.js';
import { MANIFESTS } from './paths.js';

const FILES = {
  Job: 'migrate.yaml',
  ServiceAccount: 'gateway.yaml',
  ConfigMap: 'gateway.yaml',
  Service: 'gateway.yaml',
  Deployment: 'gateway.yaml',
  PodDisruptionBudget: 'gateway.yaml',
  HorizontalPodAutoscaler: 'gateway.yaml',
  NetworkPolicy: 'gateway.yaml',
  Ingress: 'ingress.yaml',
  HTTPRoute: 'httproute.yaml',
  ServiceMonitor: 'monitoring.yaml',
  PrometheusRule: 'monitoring.yaml',
};
/** Objects that the migration Job needs come before it. */
const KINDS = [...Object.keys(FILES).filter((kind) => kind !== 'Job'), 'Job'];

const HEAD = `# Generated from the Helm chart with ${MANIFESTS}/values.yaml. Run \`npm run docs:deploy\` after changing either.\n`;

export async function manifests() {
  const [objects, job] = await Promise.all(
    [['--no-hooks'], ['--show-only', 'templates/migrate-job.yaml']].map((more) =>
      template(`${MANIFESTS}/values.yaml`, more),
    ),
  );
  // Nothing runs `helm test` here.
  const documents = objects.filter(({ metadata }) => !metadata.name.endsWith('-test')).concat(job);
  const files = {};
  for (const document of documents.sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))) {
    const migrates = document.metadata.labels['app.kubernetes.io/component'] === 'migrate';
    const file = migrates ? FILES.Job : FILES[document.kind];
    if (file === undefined)
      throw new Error(`No manifest file is defined for the kind ${document.kind}. Add it to FILES.`);
    (files[`${MANIFESTS}/${file}`] ??= []).push(stringify(withoutHelm(document), { lineWidth: 120, version: '1.1' }));
  }
  return Object.fromEntries(Object.entries(files).map(([path, texts]) => [path, HEAD + texts.join('---\n')]));
}

function withoutHelm(value) {
  if (Array.isArray(value)) return value.map(withoutHelm);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(([name, part]) => !isHelmMetadata(name, part));
  return Object.fromEntries(kept.map(([name, part]) => [name, withoutHelm(part)]));
}

function isHelmMetadata(name, part) {
  if (name.startsWith('helm.sh/') || (name === 'app.kubernetes.io/managed-by' && part === 'Helm')) return true;
  return name === 'annotations' && Object.keys(part).every((key) => key.startsWith('helm.sh/'));
}
