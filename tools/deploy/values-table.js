import { isMap, isScalar, parseDocument } from 'yaml';
import { chartSettings } from '../../dist/src/config/generated-settings.js';
import { SETTINGS } from '../../dist/src/config/settings.data.js';

/** The table of docs/kubernetes.md: a line for each value of values.yaml, with the comment that stands before it. */
export function valuesTable(text) {
  const rows = [];
  collect(parseDocument(text).contents, [], rows);
  return ['| value | default | meaning |', '|---|---|---|', ...rows].join('\n') + '\n';
}

function collect(map, path, rows) {
  for (const [index, { key, value }] of map.items.entries()) {
    const name = [...path, key.value];
    // A comment before the first key of a map belongs to the map in this parser's eyes.
    const comment = index === 0 && path.length > 0 ? (map.commentBefore ?? key.commentBefore) : key.commentBefore;
    const branch = isMap(value) && value.items.length > 0 && !value.flow && !LEAVES.has(name.join('.'));
    const about = meaningOf(comment ?? (index === 0 && path.length === 0 ? map.commentBefore : undefined));
    if (!branch || about !== '') rows.push(row(name, branch ? undefined : value, about));
    if (branch) collect(value, name, rows);
  }
}

/** Characters of a default beyond which a cell is no place for it. */
const LONG = 80;

/** Maps whose parts are Kubernetes' own, and so not explained one by one. */
const LEAVES = new Set(['resources', 'podSecurityContext', 'securityContext', 'grafanaDashboard.labels']);

const row = (name, value, about) => `| \`${name.join('.')}\` | ${value === undefined ? '' : shown(value)} | ${about} |`;

function shown(value) {
  const plain = isScalar(value) ? value.value : value.toJSON();
  const text = JSON.stringify(plain).replaceAll('|', '\\|');
  return text.length > LONG ? 'in values.yaml' : `\`${text}\``;
}

const meaningOf = (comment) =>
  (comment ?? '')
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|');

/** The other table: the keys of the Secret. */
export function secretsTable() {
  const { mandatory, optional } = chartSettings().secrets;
  const about = new Map(
    Object.values(SETTINGS).map(({ env, meaning, kind }) => [env, `${meaning} ${upper(kind.allowed)}.`]),
  );
  const line = (needed) => (name) => `| \`${name}\` | ${needed} | ${about.get(name).replaceAll('|', '\\|')} |`;
  const rows = [...mandatory.map(line('yes')), ...optional.map(line(''))];
  return ['| key of the Secret | needed | meaning, and what is allowed |', '|---|---|---|', ...rows].join('\n') + '\n';
}

const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);
