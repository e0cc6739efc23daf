// Records a hash of every migration in migrations/landed.json: `npm run migration:record`. It fails if a recorded migration has
// changed, because databases that have run it would never get the change. With `--check` it writes nothing and accepts no unrecorded
// migration. Comments, quotes and line breaks outside of the SQL can change.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

const FOLDER = 'migrations';
const RECORD = join(FOLDER, 'landed.json');
const MIGRATION = /^\d+-[a-z0-9-]+\.ts$/;
/** Other code of `src` can change later, and with it the migration. The partitions always get the structure of their table. */
const IMPORTS = ['typeorm', '../src/platform/database/month-partitions.js'];

/** Returns `{ hashes, faults }` of the migrations in the current folder, compared with the recorded hashes. */
export function compareMigrations(recorded) {
  const files = readdirSync(FOLDER).filter((name) => MIGRATION.test(name));
  const hashes = Object.fromEntries(files.sort().map((name) => [name, hashOf(name)]));
  const last = Object.keys(recorded).sort().at(-1) ?? '';
  const faults = files.flatMap((name) => importFaults(name));
  for (const [name, hash] of Object.entries(recorded))
    if (hashes[name] !== hash)
      faults.push(
        hashes[name] === undefined
          ? `${FOLDER}/${name} has landed but is missing. Restore it.`
          : `${FOLDER}/${name} has landed but was changed. Restore it, and write a new migration.`,
      );
  for (const name of files)
    if (!(name in recorded) && name < last) faults.push(`${FOLDER}/${name} must have a higher number than ${last}.`);
  return { hashes, faults };
}

/** Hashes all tokens, so that a new format or comment does not change the result. Statements are string tokens. */
function hashOf(name) {
  const hash = createHash('sha256');
  const source = parse(name);
  const visit = (node) => {
    // `importFaults` checks the imports.
    if (ts.isJSDoc(node) || ts.isImportDeclaration(node)) return;
    const children = node.getChildren(source);
    if (children.length > 0) return children.forEach(visit);
    const text = ts.isStringLiteral(node) ? JSON.stringify(node.text) : node.getText(source);
    // Prettier adds and removes trailing commas.
    if (text !== '' && text !== ',') hash.update(`${text}\0`);
  };
  source.statements.forEach(visit);
  return hash.digest('hex');
}

function importFaults(name) {
  return parse(name)
    .statements.filter(ts.isImportDeclaration)
    .map(({ moduleSpecifier }) => moduleSpecifier.text)
    .filter((specifier) => !IMPORTS.includes(specifier))
    .map((specifier) => `${FOLDER}/${name} imports ${specifier}. Write its statements into the migration.`);
}

function parse(name) {
  return ts.createSourceFile(name, readFileSync(join(FOLDER, name), 'utf8'), ts.ScriptTarget.Latest);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const recorded = existsSync(RECORD) ? JSON.parse(readFileSync(RECORD, 'utf8')) : {};
  const { hashes, faults } = compareMigrations(recorded);
  if (process.argv.includes('--check'))
    for (const name of Object.keys(hashes))
      if (!(name in recorded)) faults.push(`${FOLDER}/${name} is not recorded. Run npm run migration:record.`);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
  else if (!process.argv.includes('--check')) writeFileSync(RECORD, `${JSON.stringify(hashes, null, 2)}\n`);
}
