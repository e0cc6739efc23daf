import { fieldFaults } from './check-fields.js';
import { isBuiltIn, modelOf, VERSIONS } from './models.js';
import { run } from './helm.js';

/**
 * Checks documents against the published schemas of each Kubernetes version, as the API server of that version would. All sets are
 * checked together, because each call of the compiler and of kubectl costs a fraction of a second.
 * @param sets each with the documents of one file or release, and where they come from
 */
export async function checkDocuments(sets) {
  const all = sets.flatMap(({ documents, where }) => documents.map((document) => ({ document, where })));
  return [
    ...sets.flatMap(repetitions),
    ...VERSIONS.flatMap((version) => versionFaults(all, version)),
    ...(await podFaults(all)),
  ];
}

function repetitions({ documents, where }) {
  // Hooks of different events can have the same name.
  const ids = documents.map(({ kind, metadata }) => `${kind}/${metadata.name}${eventsOf(metadata)}`);
  return ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${where}: ${id} is defined twice`);
}

const eventsOf = ({ annotations }) => annotations?.['helm.sh/hook'] ?? '';

function versionFaults(all, version) {
  const newest = version === VERSIONS.at(-1);
  const concerned = all.filter(({ document }) => newest || isBuiltIn(document));
  const schema = concerned.flatMap(({ document, where }) =>
    schemaFaults(document, version).map((fault) => ({ document, where, fault })),
  );
  const fields = fieldFaults(
    concerned.map(({ document }) => document),
    version,
  ).map(({ at, fault }) => ({ ...concerned[at], fault }));
  return [...schema, ...fields].map(
    ({ document, where, fault }) => `${where}: Kubernetes ${version}: ${document.kind}: ${fault}`,
  );
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

/** kubectl parses documents into its own types and prints them again, so unknown fields disappear. */
async function podFaults(all) {
  const pods = all.filter(({ document }) => document.spec?.template?.spec?.containers !== undefined);
  const args = ['set', 'image', '--local', '--filename', '-', '--output', 'json', '*=any'];
  const { ok, output } = await run(
    'kubectl',
    args,
    pods.map(({ document }) => JSON.stringify(document)).join('\n---\n'),
  );
  if (!ok) return [`kubectl: ${output}`];
  const printed = output.split(/(?<=^})\n(?={)/m).map((text) => JSON.parse(text));
  if (printed.length !== pods.length) return [`kubectl prints ${printed.length} of ${pods.length} documents`];
  return pods.flatMap(({ document, where }, at) =>
    missingFields(withImages(document), printed[at]).map(
      (path) => `${where}: ${document.kind}: kubectl does not recognize ${path}`,
    ),
  );
}

function withImages(document) {
  const changed = structuredClone(document);
  const { containers, initContainers = [] } = changed.spec.template.spec;
  for (const container of [...containers, ...initContainers]) container.image = 'any';
  return changed;
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
