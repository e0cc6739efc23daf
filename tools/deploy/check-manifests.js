import { readdirSync, readFileSync } from 'node:fs';
import { checkDocuments } from './check-documents.js';
import { documentsOf, run } from './helm.js';
import { inRoot, MANIFESTS } from './paths.js';

export function checkManifests() {
  const files = readdirSync(inRoot(MANIFESTS)).filter((name) => !['values.yaml', 'kustomization.yaml'].includes(name));
  const texts = files.map((name) => [`${MANIFESTS}/${name}`, readFileSync(inRoot(`${MANIFESTS}/${name}`), 'utf8')]);
  const { ok, output } = run('kubectl', ['kustomize', inRoot(MANIFESTS)]);
  return [
    ...texts.flatMap(([path, text]) => checkDocuments(documentsOf(text, path), path)),
    ...texts.filter(([, text]) => /helm\.sh|: Helm$/m.test(text)).map(([path]) => `${path} contains Helm metadata`),
    ...(ok
      ? checkDocuments(documentsOf(output, 'kubectl kustomize'), 'kubectl kustomize')
      : [`kubectl kustomize: ${output}`]),
  ];
}
