import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Config, ConfigError, type Environment } from '../../platform/config/config.js';
import { SETTINGS, type Setting } from '../../platform/config/settings.data.js';
import { fail, checked, ok, warn, type Finding } from './finding.js';
import { secretFilesOf } from '../../platform/config/secret-files.js';
import {
  guessableSecrets,
  nearestSetting,
  removedSettings,
  unknownSettings,
} from '../../platform/config/setting-problems.rules.js';

const SEE_SETTINGS = 'See docs/settings.md for the allowed values.';

export function checkSettings(env: Environment): { readonly findings: Finding[]; readonly config: Config | null } {
  const { config, problems } = read(env);
  const findings = [
    ...problems.map((problem) => fail('settings', problem, SEE_SETTINGS)),
    ...removedSettings(env).map((warning) => warn('settings', warning, 'Remove it.')),
    ...unknownSettings(env).map((name) =>
      warn('settings', `${name} is not a setting and has no effect`, adviceFor(name)),
    ),
  ];
  if (config === null) return { findings, config };
  findings.push(
    ...guessableSecrets(config).map((weak) => warn('settings', weak, 'Production does not start with it.')),
  );
  const fromFiles = secretFilesOf(env);
  const set = Object.values<Setting<unknown>>(SETTINGS).filter((setting) => isSet(env, setting)).length;
  const files = fromFiles.length === 0 ? '' : `, and ${fromFiles.map(({ variable }) => variable).join(', ')}`;
  return { findings: [ok('settings', `${set} set${files}, NODE_ENV is ${config.environment}`), ...findings], config };
}

const isSet = (env: Environment, { env: name, alias = name }: Setting<unknown>): boolean =>
  [name, alias].some((variable) => (env[variable] ?? '') !== '');

function read(env: Environment): { readonly config: Config | null; readonly problems: readonly string[] } {
  try {
    return { config: Config.from(env), problems: [] };
  } catch (error) {
    if (error instanceof ConfigError) return { config: null, problems: error.problems };
    throw error;
  }
}

function adviceFor(stray: string): string {
  const nearest = nearestSetting(stray);
  return `${nearest === null ? 'Check its spelling.' : `Did you mean ${nearest}?`} ${SEE_SETTINGS}`;
}

const OTHERS_READ_WRITE = 0o066;
/** The embedded database runs as `nobody` if root starts it. That user must be able to enter the folder. */
const OTHERS_ENTER = 0o011;

const inUse = (config: Config): boolean =>
  !config.production &&
  (config.databaseUrl === null || config.adminKeys.length === 0 || config.secretKeys.length === 0);

export function checkDataDir(config: Config): Promise<Finding> {
  const folder = resolve(config.dataDir);
  return checked(
    'data_dir',
    `Make ${folder} a folder that you own, or set GW_DATA_DIR to another folder.`,
    async () => {
      if (!inUse(config)) return ok('data_dir', 'not used, because the environment sets the database and the secrets');
      const found = await statOf(folder);
      if (found === null) return checkParent(folder);
      if (!found.isDirectory()) return fail('data_dir', `${folder} is not a folder`, 'Set GW_DATA_DIR to a folder.');
      if (!(await writable(folder)))
        return fail(
          'data_dir',
          `${folder} is not writable`,
          'Change its owner with chown, or set GW_DATA_DIR to another folder.',
        );
      const open = process.platform !== 'win32' && (found.mode & OTHERS_READ_WRITE) !== 0;
      if (open) return warn('data_dir', `other users can read ${folder}`, `Run: chmod ${closedMode()} ${folder}`);
      return ok('data_dir', `${folder} is not readable by other users`);
    },
  );
}

const closedMode = (): string => (process.getuid?.() === 0 ? (0o700 | OTHERS_ENTER).toString(8) : '700');

async function checkParent(folder: string): Promise<Finding> {
  let parent = dirname(folder);
  while ((await statOf(parent)) === null) parent = dirname(parent);
  if (await writable(parent)) return ok('data_dir', `${folder} does not exist yet: the first start creates it`);
  return fail(
    'data_dir',
    `${folder} cannot be created, because ${parent} is not writable`,
    'Set GW_DATA_DIR to a writable folder.',
  );
}

/** Checks GW_SECRET_KEY, or the file that replaces it outside production. Never generates a key. */
export function checkSecretKey(config: Config): Promise<Finding> {
  const file = join(resolve(config.dataDir), 'secret-key');
  return checked('secret_key', `Make ${file} readable, or set GW_SECRET_KEY.`, async () => {
    if (config.secretKeys.length > 0) return ok('secret_key', 'GW_SECRET_KEY is set');
    const found = await statOf(file);
    if (found === null) return ok('secret_key', `does not exist yet: the first start generates it in ${file}`);
    if (SETTINGS.secretKeys.kind.parse((await readFile(file, 'utf8')).trim()) === undefined) {
      return fail(
        'secret_key',
        `${file} does not contain 32 bytes in base64`,
        'Restore the file, or set GW_SECRET_KEY.',
      );
    }
    const open = process.platform !== 'win32' && (found.mode & 0o077) !== 0;
    return open
      ? warn('secret_key', `other users can read ${file}`, `Run: chmod 600 ${file}`)
      : ok('secret_key', `stored in ${file}`);
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
