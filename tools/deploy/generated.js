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
const GUIDE = 'docs/kubernetes.md';

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
    [GUIDE]: withTables(read(GUIDE), { values, secrets: secretsTable() }),
  });
}

export const manifestFiles = async () => formatted(await manifests());

function withTables(page, tables) {
  return Object.entries(tables).reduce((text, [name, table]) => {
    const [begin, end] = [`<!-- ${name}, generated -->`, `<!-- end of ${name} -->`];
    if (!text.includes(begin) || !text.includes(end)) throw new Error(`${GUIDE} has no markers for the table ${name}`);
    return text.slice(0, text.indexOf(begin) + begin.length) + `\n\n${table}\n` + text.slice(text.indexOf(end));
  }, page);
}

async function formatted(files) {
  const made = Object.entries(files).map(async ([path, text]) => {
    const options = await resolveConfig(inRoot(path));
    return [path, await format(text, { ...options, filepath: path })];
  });
  return new Map(await Promise.all(made));
}
