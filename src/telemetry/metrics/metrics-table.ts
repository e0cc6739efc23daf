import { METRICS, type MetricDefinition } from './metrics.data.js';

const HEAD = `# Metrics

For Prometheus, at \`http://GW_METRICS_HOST:GW_METRICS_PORT/metrics\`: a listener of its own, never on the public port, and off
without \`GW_METRICS_PORT\`. It has no login: keep it inside. This page is made from the code (\`npm run docs:metrics\`).

- \`route\` is the template of a route (\`/v1/files/{file_id}\`), \`unmatched\` where there is none. Preflights are not counted.
- \`model\` is an id that the catalog lists (without a catalog: that the registry knows), 200 different ones at most in the life
  of a process; \`other\` is any other, \`none\` is none. No client can make a label.
- With \`GW_WORKERS\` the figures of all workers are one set: added up, or as the last column says.
- A counter begins at 0 with its process. Series whose labels are known beforehand are there from the start; those by route, model
  or status appear with their first event.
- Beside these: \`process_*\` and \`nodejs_*\`, the defaults of prom-client, and nothing else.

| metric | type | labels | meaning | workers |
| --- | --- | --- | --- | --- |
`;

/** docs/metrics.md, whole. */
export function metricsTable(): string {
  return HEAD + (Object.entries(METRICS) as [string, MetricDefinition][]).map(row).join('');
}

function row([name, { type, labels, help, ofWorkers }]: [string, MetricDefinition]): string {
  const cells = [`\`${name}\``, type, labels.map((label) => `\`${label}\``).join(', '), help, ofWorkers];
  return `| ${cells.join(' | ')} |\n`;
}
