import { fieldFaults } from './check-fields.js';
import { isBuiltIn, modelOf, VERSIONS } from './models.js';
import { run } from './helm.js';

/** Checks documents against the published schemas of each Kubernetes version, as the API server of that version would. */
export function checkDocuments(documents, where) {
  // Hooks of different events can have the same name.
  const ids = documents.map(({ kind, metadata }) => `${kind}/${metadata.name}${eventsOf(metadata)}`);
  const repeated = ids.filter((id, at) => ids.indexOf(id) !== at);
  return [
    ...repeated.map((id) => `${where}: ${id} is defined twice`),
    ...VERSIONS.flatMap((version) => versionFaults(documents, version).map((fault) => `${where}: ${fault}`)),
    ...documents.flatMap((document) => podFaults(document).map((fault) => `${where}: ${document.kind}: ${fault}`)),
  ];
}

const eventsOf = ({ annotations }) => annotations?.['helm.sh/hook'] ?? '';

function versionFaults(documents, version) {
  const newest = version === VERSIONS.at(-1);
  const concerned = documents.filter((document) => newest || isBuiltIn(document));
  const schema = concerned.flatMap((document) =>
    schemaFaults(document, version).map((fault) => `${document.kind}: ${fault}`),
  );
  return [...schema, ...fieldFaults(concerned, version)].map((fault) => `Kubernetes ${version}: ${fault}`);
}

function schemaFaults(document, version) {
  const Model = modelOf(document, version);
  try {
    new Model(document).validate();
    return [];
  } catch (error) {
    return [String(error.message)];
  }
}

/** kubectl parses the document into its own types and prints it again, so unknown fields disappear. */
function podFaults(document) {
  const containers = document.spec?.template?.spec?.containers;
  if (containers === undefined) return [];
  const args = ['set', 'image', '--local', '--filename', '-', '--output', 'json', `${containers[0].name}=any`];
  const { ok, output } = run('kubectl', args, JSON.stringify(document));
  if (!ok) return [`kubectl: ${output}`];
  containers[0] = { ...containers[0], image: 'any' };
  return missingFields(document, JSON.parse(output)).map((path) => `kubectl does not recognize ${path}`);
}

function missingFields(given, accepted, path = '') {
  if (given === null || typeof given !== 'object') return [];
  return Object.entries(given).flatMap(([name, value]) => {
    const here = `${path}.${name}`;
    // kubectl omits empty and zero values.
    if (value === null || value === false || value === 0 || value === '' || isEmpty(value)) return [];
    return accepted !== null && typeof accepted === 'object' && name in accepted
      ? missingFields(value, accepted[name], here)
      : [here];
  });
}

const isEmpty = (value) => typeof value === 'object' && Object.keys(value).length === 0;
