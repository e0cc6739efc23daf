import { globSync, readFileSync } from 'node:fs';
import { inRoot } from './paths.js';

const pages = globSync('docs/runbook{,/*}.md', { cwd: inRoot('.') });
const sections = pages.flatMap((page) =>
  Array.from(readFileSync(inRoot(page), 'utf8').matchAll(/^## (Gateway\w+)$/gm), ([, alert]) => ({ alert, page })),
);

/** The alerts that have a section in the runbook. */
export const EXPLAINED_ALERTS = sections.map(({ alert }) => alert);

/** Returns the address of the alert's section, relative to the repository, or undefined if there is no section. */
export function runbookUrl(alert) {
  const section = sections.find((one) => one.alert === alert);
  return section && `${section.page}#${alert.toLowerCase()}`;
}
