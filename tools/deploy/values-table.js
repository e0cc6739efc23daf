import { isMap, isScalar, parseDocument } from 'yaml';
import { chartSettings } from '../../dist/src/platform/config/settings-documents.js';
import { SETTINGS } from '../../dist/src/platform/config/settings.data.js';

/** Returns a Markdown table of the chart values. The comment above a value in values.yaml is its description. */
export function valuesTable(text) {
  const rows = [];
  collect(parseDocument(text).contents, [], rows);
  return ['| value | default | meaning |', '|---|---|---|', ...rows].join('\n') + '\n';
}

function collect(map, path, rows) {
  for (const [index, { key, value }] of map.items.entries()) {
    const name = [...path, key.value];
    // This parser assigns a comment before the first key of a map to the map.
    const comment = index === 0 && path.length > 0 ? (map.commentBefore ?? key.commentBefore) : key.commentBefore;
    const branch = isMap(value) && value.items.length > 0 && !value.flow && !LEAVES.has(name.join('.'));
    const about = meaningOf(comment ?? (index === 0 && path.length === 0 ? map.commentBefore : undefined));
    if (!branch || about !== '') rows.push(row(name, branch ? undefined : value, about));
    if (branch) collect(value, name, rows);
  }
}

const DEFAULT_LENGTH_MAX = 80;

/** Kubernetes defines these maps, so their fields get no rows. */
const LEAVES = new Set([
  'resources',
  'podSecurityContext',
  'securityContext',
  'grafanaDashboard.labels',
  ...['migrations', 'tests'].flatMap((name) =>
    ['resources', 'podAnnotations', 'podLabels'].map((map) => `${name}.${map}`),
  ),
]);

const row = (name, value, about) =>
  `| \`${name.join('.')}\` | ${value === undefined ? '' : defaultText(value)} | ${about} |`;

function defaultText(value) {
  const plain = isScalar(value) ? value.value : value.toJSON();
  const text = JSON.stringify(plain).replaceAll('|', '\\|');
  return text.length > DEFAULT_LENGTH_MAX ? 'see values.yaml' : `\`${text}\``;
}

const meaningOf = (comment) =>
  (comment ?? '')
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|');

export function secretsTable() {
  const { mandatory, optional } = chartSettings().secrets;
  const about = new Map(
    Object.values(SETTINGS).map(({ env, meaning, kind }) => [env, `${meaning} Allowed: ${kind.allowed}.`]),
  );
  const line = (required) => (name) => `| \`${name}\` | ${required} | ${about.get(name).replaceAll('|', '\\|')} |`;
  const rows = [...mandatory.map(line('yes')), ...optional.map(line(''))];
  return ['| key in the Secret | required | meaning and allowed values |', '|---|---|---|', ...rows].join('\n') + '\n';
}
