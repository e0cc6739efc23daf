import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../../config/config.js';
import { SETTINGS } from '../../config/settings.data.js';
import { fail, looked, ok, warn, type Finding } from './finding.js';

const OTHERS_MAY_READ = 0o066;
/** `nobody`, as whom the embedded database runs under root, has to pass through. */
const OTHERS_MAY_PASS = 0o011;

const inUse = (config: Config): boolean =>
  !config.production &&
  (config.databaseUrl === null || config.adminKeys.length === 0 || config.secretKeys.length === 0);

/** GW_DATA_DIR: the embedded database and generated secrets, in a development start. */
export function checkDataDir(config: Config): Promise<Finding> {
  const folder = resolve(config.dataDir);
  return looked('data_dir', `Make ${folder} a folder of your own, or set GW_DATA_DIR.`, async () => {
    if (!inUse(config)) return ok('data_dir', 'not used: database and secrets come from the environment');
    const found = await statOf(folder);
    if (found === null) return placeForOne(folder);
    if (!found.isDirectory()) return fail('data_dir', `${folder} is no folder`, 'Set GW_DATA_DIR to a folder.');
    if (!(await writable(folder)))
      return fail('data_dir', `${folder} cannot be written`, 'Set GW_DATA_DIR, or chown it.');
    const open = process.platform !== 'win32' && (found.mode & OTHERS_MAY_READ) !== 0;
    if (open) return warn('data_dir', `others may look into ${folder}`, `chmod ${closedMode()} ${folder}`);
    return ok('data_dir', `${folder}, closed to others`);
  });
}

const closedMode = (): string => (process.getuid?.() === 0 ? (0o700 | OTHERS_MAY_PASS).toString(8) : '700');

async function placeForOne(folder: string): Promise<Finding> {
  let parent = dirname(folder);
  while ((await statOf(parent)) === null) parent = dirname(parent);
  if (await writable(parent)) return ok('data_dir', `${folder} is not there yet: the first start makes it`);
  return fail('data_dir', `${folder} cannot be made in ${parent}`, 'Set GW_DATA_DIR to a folder that can be written.');
}

/** GW_SECRET_KEY, or the file that stands for it in a development start. Nothing is generated here. */
export function checkSecretKey(config: Config): Promise<Finding> {
  const file = join(resolve(config.dataDir), 'secret-key');
  return looked('secret_key', `Make ${file} readable, or set GW_SECRET_KEY.`, async () => {
    if (config.secretKeys.length > 0) return ok('secret_key', 'GW_SECRET_KEY is set');
    const found = await statOf(file);
    if (found === null) return ok('secret_key', `the first start makes one in ${file}`);
    if (SETTINGS.secretKeys.kind.parse((await readFile(file, 'utf8')).trim()) === undefined) {
      return fail('secret_key', `${file} does not hold 32 bytes in base64`, 'Restore the file, or set GW_SECRET_KEY.');
    }
    const open = process.platform !== 'win32' && (found.mode & 0o077) !== 0;
    return open ? warn('secret_key', `others may read ${file}`, `chmod 600 ${file}`) : ok('secret_key', `in ${file}`);
  });
}

async function statOf(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

const writable = (path: string): Promise<boolean> =>
  access(path, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
