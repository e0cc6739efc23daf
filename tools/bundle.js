// The last step of `npm run build:server`. It bundles dist/src/main.js and dist/src/cli/main.js with their imports, including
// packages, into a few files in dist/chunks. A start then reads these instead of 2,300 files (docs/adr/0016).
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { buildOf } from './version.js';

const PROJECT = resolve(import.meta.dirname, '..');
/**
 * Packages that locate their own files by path, or that are loaded only on demand. TypeORM requires pg by a variable name. The image
 * contains only these packages.
 */
const EXTERNAL = ['@node-rs/argon2', '@opentelemetry', 'gpt-tokenizer', 'pg', 'pino', 'pino-pretty', 'swagger-ui-dist'];

/** As tsc and swc write it. */
const SQL_FILE = /\bsqlFile\(import\.meta\.url, ['"]([^'"]+)['"]\)/g;

const OWN_REQUIRE = 'const require = createRequire(import.meta.url);';

/**
 * @param programs entry files by output path, without `.js`
 * @param compile returns the JavaScript of a TypeScript source
 */
export async function bundle({ programs, folder, compile }) {
  const ours = `${PROJECT}/`;
  const bundled = await rolldown({
    input: programs,
    cwd: PROJECT,
    platform: 'node',
    logLevel: 'silent',
    external: (name) => isExternal(name) || !isInstalled(name),
    plugins: [
      {
        name: 'sources',
        resolveId(name, importer) {
          if (compile === undefined || importer === undefined || !/^\.{1,2}\/.*\.js$/.test(name)) return null;
          if (!importer.startsWith(ours) || importer.includes('/node_modules/')) return null;
          return resolve(dirname(importer), name.replace(/\.js$/, '.ts'));
        },
        load: (id) => (compile !== undefined && id.endsWith('.ts') ? { code: compile(id), moduleType: 'js' } : null),
        transform(source, id) {
          const code = withSql(source, id);
          // Its `require` would load a second, unbundled TypeORM.
          if (id.endsWith('/@nestjs/typeorm/dist/common/typeorm-compat.js')) {
            if (!code.includes(OWN_REQUIRE))
              throw new Error(`${id} has changed. Check whether the bundle loads TypeORM twice.`);
            return code.replace(OWN_REQUIRE, '');
          }
          if (!id.startsWith(ours) || id.includes('/node_modules/')) return null;
          if (!code.includes('import.meta.url')) return code === source ? null : code;
          // Files that are located relative to a source are still found there.
          const place = JSON.stringify(relative(resolve(folder, 'chunks'), id));
          return code.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`);
        },
      },
    ],
  });
  rmSync(resolve(folder, 'chunks'), { recursive: true, force: true });
  mkdirSync(resolve(folder, 'chunks'), { recursive: true });
  const { output } = await bundled.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // Logs, the API description, and Nest's error messages contain class names.
    keepNames: true,
  });
  await bundled.close();
  // The image and its bill of materials are made from this list (tools/image).
  const packages = { bundled: packagesIn(output), external: EXTERNAL };
  writeFileSync(resolve(folder, 'chunks/packages.json'), `${JSON.stringify(packages, null, 2)}\n`);
}

/** Replaces the names of SQL files by their texts, because the image contains only the bundle. */
function withSql(code, id) {
  const sql = code.replace(SQL_FILE, (_, path) => JSON.stringify(readFileSync(resolve(dirname(id), path), 'utf8')));
  if (/\bsqlFile\(import/.test(sql)) throw new Error(`${id} must call sqlFile with a literal path.`);
  return sql;
}

/** Returns the folders of the bundled packages, as in the lock file: `node_modules/rxjs`. */
function packagesIn(output) {
  const found = output
    .flatMap(({ moduleIds = [] }) => moduleIds)
    .map((id) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(relative(PROJECT, id))?.[0])
    .filter((path) => path !== undefined);
  return [...new Set(found)].sort();
}

const isExternal = (name) => EXTERNAL.some((external) => name === external || name.startsWith(`${external}/`));

/** Nest and TypeORM import some optional packages only to check whether they are installed. */
function isInstalled(name) {
  if (/^[./]|^node:|^\0/.test(name)) return true;
  try {
    import.meta.resolve(name);
    return true;
  } catch (error) {
    return error.code !== 'ERR_MODULE_NOT_FOUND';
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // Programs that load single modules, such as `typeorm` and the benchmarks, read these.
  for (const file of globSync('src/**/*.sql', { cwd: PROJECT }))
    cpSync(resolve(PROJECT, file), resolve(PROJECT, 'dist', file));
  const program = (name) => ({ [name]: resolve(PROJECT, 'dist', `${name}.js`) });
  await bundle({ programs: { ...program('src/main'), ...program('src/cli/main') }, folder: resolve(PROJECT, 'dist') });
  // The gateway reads its version from the nearest package.json, so startup does not need Git.
  const { version } = buildOf(PROJECT);
  writeFileSync(resolve(PROJECT, 'dist/package.json'), `${JSON.stringify({ version, type: 'module' })}\n`);
}
