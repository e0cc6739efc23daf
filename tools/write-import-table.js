// Writes the import table of docs/architecture.md from the import rules (`npm run docs:imports`). With `--check` it writes nothing
// and exits with 1 if the page is out of date. It uses the page in the working directory.
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import rules from './import-rules.data.cjs';

const PAGE = 'docs/architecture.md';
const BEGIN = '<!-- import table, written by npm run docs:imports -->';
const END = '<!-- end of the import table -->';

const { ALLOWED, OUTERMOST } = rules;
const list = (names) => names.map((name) => `\`${name}\``).join(', ');

const page = readFileSync(PAGE, 'utf8');
if (!page.includes(BEGIN) || !page.includes(END)) throw new Error(`${PAGE} lacks ${BEGIN} or ${END}`);
const before = page.slice(0, page.indexOf(BEGIN) + BEGIN.length);
const table = await format(importTable(), { ...(await resolveConfig(PAGE)), parser: 'markdown' });
const written = `${before}\n\n${table}\n${page.slice(page.indexOf(END))}`;

if (!process.argv.includes('--check')) writeFileSync(PAGE, written);
else if (page !== written) {
  console.error(`${PAGE} differs from tools/import-rules.data.cjs. Run \`npm run docs:imports\`.`);
  process.exitCode = 1;
}

function importTable() {
  const rows = Object.entries(ALLOWED).map(
    ([name, allowed]) => `| \`${name}\` | ${list(allowed) || 'no other room'} |`,
  );
  return `| room | can import, in addition to itself and \`platform\` |
| --- | --- |
${rows.join('\n')}
| ${list(OUTERMOST)} | everything; no other room imports them |
`;
}
