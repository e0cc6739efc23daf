import { readFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { chartSettings, secretKeysSchemas, settingsSchema } from '../../dist/src/platform/config/settings-documents.js';
import { chartReadme } from './chart-readme.js';
import { dashboard } from './dashboard.js';
import { kubernetesSchemas } from './kubernetes-schema.js';
import { manifests } from './manifests.js';
import { CHART, DASHBOARD, inRoot } from './paths.js';
import { upstreamsSchema } from './upstreams-schema.js';
import { secretsTable, valuesTable } from './values-table.js';

const SCHEMA = `${CHART}/values.schema.json`;
const VALUES_PAGE = 'docs/kubernetes/values.md';
const SECRETS_PAGE = 'docs/kubernetes/secrets.md';

const read = (path) => readFileSync(inRoot(path), 'utf8');
const json = (value) => JSON.stringify(value, null, 2);

/** Must be written before calling `manifestFiles`, because Helm renders the chart on disk. */
export async function chartFiles() {
  const schema = JSON.parse(read(SCHEMA));
  const values = valuesTable(read(`${CHART}/values.yaml`));
  schema.$defs = {
    settings: settingsSchema(),
    upstreamsFile: upstreamsSchema(),
    ...secretKeysSchemas(),
    ...kubernetesSchemas(),
  };
  return formatted({
    [SCHEMA]: json(schema),
    [`${CHART}/files/settings.json`]: json(chartSettings()),
    [DASHBOARD]: json(dashboard()),
    [`${CHART}/README.md`]: chartReadme(values),
    [VALUES_PAGE]: withTable(VALUES_PAGE, 'values', values),
    [SECRETS_PAGE]: withTable(SECRETS_PAGE, 'secrets', oneFolderDeeper(secretsTable())),
  });
}

export const manifestFiles = async () => formatted(await manifests());

/** The descriptions of settings link to pages next to docs/settings.md. */
const oneFolderDeeper = (table) => table.replaceAll(/\]\((?=[\w/-]+\.md)/g, '](../');

function withTable(path, name, table) {
  const page = read(path);
  const [begin, end] = [`<!-- ${name}, generated -->`, `<!-- end of ${name} -->`];
  if (!page.includes(begin) || !page.includes(end)) throw new Error(`${path} has no markers for the table ${name}`);
  return page.slice(0, page.indexOf(begin) + begin.length) + `\n\n${table}\n` + page.slice(page.indexOf(end));
}

async function formatted(files) {
  const made = Object.entries(files).map(async ([path, text]) => {
    const options = await resolveConfig(inRoot(path));
    return [path, await format(text, { ...options, filepath: path })];
  });
  return new Map(await Promise.all(made));
}
