// The last step of `npm run build:server`: the two programs, dist/src/main.js and dist/src/cli/main.js, with what they import,
// packages too, put together into a few files below dist/chunks. A start reads those in place of 2,300 (docs/adr/0016).
import { rmSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const PROJECT = resolve(import.meta.dirname, '..');
/** Packages that stay where they are: they find files of their own by their place, or are loaded only where they are wanted. */
const APART = [...['@node-rs/argon2', '@opentelemetry', 'gpt-tokenizer', 'pino', 'pino-pretty', 'swagger-ui-dist']];

const OWN_REQUIRE = 'const require = createRequire(import.meta.url);';

/**
 * @param programs their files, by where each is to be put below `folder`, without `.js`
 * @param compile JavaScript of a file of ours; left out: it is JavaScript
 */
export async function bundle({ programs, folder, compile }) {
  const ours = `${PROJECT}/`;
  const bundled = await rolldown({
    input: programs,
    cwd: PROJECT,
    platform: 'node',
    logLevel: 'silent',
    external: (name) => isApart(name) || !isInstalled(name),
    plugins: [
      {
        name: 'sources',
        resolveId(name, importer) {
          if (compile === undefined || importer === undefined || !/^\.{1,2}\/.*\.js$/.test(name)) return null;
          if (!importer.startsWith(ours) || importer.includes('/node_modules/')) return null;
          return resolve(dirname(importer), name.replace(/\.js$/, '.ts'));
        },
        load: (id) => (compile !== undefined && id.endsWith('.ts') ? { code: compile(id), moduleType: 'js' } : null),
        // What is found by its place next to a source is found there still.
        transform(code, id) {
          // It would bring a second TypeORM, file by file.
          if (id.endsWith('/@nestjs/typeorm/dist/common/typeorm-compat.js')) {
            if (!code.includes(OWN_REQUIRE))
              throw new Error(`${id} is not what it was: look whether TypeORM comes twice`);
            return code.replace(OWN_REQUIRE, '');
          }
          if (!id.startsWith(ours) || id.includes('/node_modules/') || !code.includes('import.meta.url')) return null;
          const place = JSON.stringify(relative(resolve(folder, 'chunks'), id));
          return code.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`);
        },
      },
    ],
  });
  rmSync(resolve(folder, 'chunks'), { recursive: true, force: true });
  await bundled.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // Names of classes are in logs, in the API's description and in what Nest says is missing.
    keepNames: true,
  });
  await bundled.close();
}

const isApart = (name) => APART.some((apart) => name === apart || name.startsWith(`${apart}/`));

/** Of some packages Nest and TypeORM ask only whether they are there. */
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
  const program = (name) => ({ [name]: resolve(PROJECT, 'dist', `${name}.js`) });
  await bundle({ programs: { ...program('src/main'), ...program('src/cli/main') }, folder: resolve(PROJECT, 'dist') });
}
