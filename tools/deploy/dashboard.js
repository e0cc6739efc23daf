import { PANELS } from './panels.data.js';

const SOURCE = { type: 'prometheus', uid: '${source}' };
const COLUMNS = 24;

export function dashboard() {
  return {
    uid: 'inference-gateway',
    title: 'Inference gateway',
    tags: ['inference-gateway'],
    schemaVersion: 39,
    version: 1,
    editable: true,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    timezone: 'browser',
    templating: { list: [sourceVariable, ...Object.keys(VARIABLES).map(queryVariable)] },
    panels: PANELS.flatMap(rowOf),
  };
}

const sourceVariable = { name: 'source', label: 'Source', type: 'datasource', query: 'prometheus', refresh: 1 };

/**
 * Titles by label. Each variable offers values that match those before it. Compose has no namespaces, which All matches too.
 */
const VARIABLES = { namespace: 'Namespace', job: 'Gateway', instance: 'Instance' };

const queryVariable = (label, index) => ({
  name: label,
  label: VARIABLES[label],
  type: 'query',
  datasource: SOURCE,
  query: { query: `label_values(gateway_info{${matchers(index)}}, ${label})`, refId: label },
  refresh: 2,
  includeAll: true,
  multi: true,
  allValue: '.*',
  current: { text: 'All', value: '$__all' },
});

const matchers = (count) =>
  Object.keys(VARIABLES)
    .slice(0, count)
    .map((label) => `${label}=~"$${label}"`)
    .join(',');

function rowOf({ title, panels }, index) {
  const y = index * 9;
  const width = COLUMNS / panels.length;
  const head = {
    id: index * 10 + 1,
    type: 'row',
    title,
    collapsed: false,
    panels: [],
    gridPos: { x: 0, y, w: COLUMNS, h: 1 },
  };
  const place = (at) => ({ x: at * width, y: y + 1, w: width, h: 8 });
  return [head, ...panels.map((panel, at) => panelOf(panel, index * 10 + 2 + at, place(at)))];
}

function panelOf({ title, about, unit, lines, min = 0, stacked = false }, id, gridPos) {
  return {
    id,
    type: 'timeseries',
    title,
    description: about ?? '',
    datasource: SOURCE,
    gridPos,
    fieldConfig: {
      defaults: {
        unit,
        min,
        custom: { fillOpacity: stacked ? 30 : 5, stacking: { mode: stacked ? 'normal' : 'none' } },
      },
      overrides: [],
    },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets: Object.entries(lines).map(([legendFormat, expr], at) => ({
      refId: String.fromCharCode(65 + at),
      datasource: SOURCE,
      editorMode: 'code',
      range: true,
      expr,
      legendFormat,
    })),
  };
}
