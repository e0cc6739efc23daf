// Writes the import table of docs/architecture.md from the import rules (`npm run docs:imports`). With `--check` it writes nothing
// and exits with 1 if the page is out of date. It uses the page in the working directory.
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import rules from './import-rules.data.cjs';

const PAGE = 'docs/architecture.md';
const BEGIN = '<!-- import table, written by npm run docs:imports -->';
const END = '<!-- end of the import table -->';

const { LEAVES, ALLOWED, OUTERMOST } = rules;
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
  const rows = [...foldersByImports()].map(([imports, names]) => `| ${list(names)} | ${imports} |`);
  return `The leaves are ${list(LEAVES)}.

| folder | can import, in addition to itself |
| --- | --- |
${[...rows, outermostRow()].join('\n')}
`;
}

function foldersByImports() {
  const folders = new Map();
  for (const [name, allowed] of Object.entries(ALLOWED)) {
    const imports = importsOf(allowed);
    folders.set(imports, [...(folders.get(imports) ?? []), name]);
  }
  return folders;
}

function importsOf(allowed) {
  const hasLeaves = LEAVES.every((leaf) => allowed.includes(leaf));
  const others = hasLeaves ? allowed.filter((name) => !LEAVES.includes(name)) : allowed;
  return [...(hasLeaves ? ['the leaves'] : []), ...(others.length > 0 ? [list(others)] : [])].join(', ') || 'nothing';
}

function outermostRow() {
  return `| \`main\`, \`app.*\`, ${list(OUTERMOST)} | everything; no other folder imports them |`;
}
