import { readdirSync, readFileSync } from 'node:fs';
import { checkDocuments } from './check-documents.js';
import { documentsOf, run } from './helm.js';
import { inRoot, MANIFESTS } from './paths.js';

export async function checkManifests() {
  const files = readdirSync(inRoot(MANIFESTS)).filter((name) => !['values.yaml', 'kustomization.yaml'].includes(name));
  const texts = files.map((name) => [`${MANIFESTS}/${name}`, readFileSync(inRoot(`${MANIFESTS}/${name}`), 'utf8')]);
  const { ok, output } = await run('kubectl', ['kustomize', inRoot(MANIFESTS)]);
  const sets = texts.map(([where, text]) => ({ where, documents: documentsOf(text, where) }));
  if (ok) sets.push({ where: 'kubectl kustomize', documents: documentsOf(output, 'kubectl kustomize') });
  return [
    ...(await checkDocuments(sets)),
    ...texts.filter(([, text]) => /helm\.sh|: Helm$/m.test(text)).map(([path]) => `${path} contains Helm metadata`),
    ...(ok ? [] : [`kubectl kustomize: ${output}`]),
  ];
}
