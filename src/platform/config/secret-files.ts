import { readFileSync, statSync } from 'node:fs';
import { SECRET_SETTINGS, type SettingName } from './settings.data.js';

type Environment = Readonly<Record<string, string | undefined>>;

export interface SecretFile {
  readonly name: SettingName;
  /** `GW_ADMIN_KEY` */
  readonly env: string;
  /** `GW_ADMIN_KEY_FILE` */
  readonly variable: string;
  readonly path: string;
}

const BYTES_MAX = 65_536;

/** The variable that names a file with the value of a secret setting. */
export const fileVariable = (env: string): string => `${env}_FILE`;

/** Returns the files that `…_FILE` variables name. An empty variable counts as unset. */
export function secretFilesOf(env: Environment): SecretFile[] {
  return SECRET_SETTINGS.map(([name, setting]) => {
    const variable = fileVariable(setting.env);
    return { name, env: setting.env, variable, path: env[variable] ?? '' };
  }).filter(({ path }) => path !== '');
}

/**
 * Returns the environment with the contents of the files as values of their settings.
 * @param problems receives one message for each file that cannot be used
 */
export function withSecretFiles(env: Environment, problems: string[]): Environment {
  const read: Record<string, string> = {};
  for (const file of secretFilesOf(env)) {
    if ((env[file.env] ?? '') !== '')
      problems.push(`${file.env} and ${file.variable} are both set. Set only one of them.`);
    else
      try {
        read[file.env] = readSecretFile(file);
      } catch (error) {
        problems.push((error as Error).message);
      }
  }
  return { ...env, ...read };
}

/**
 * Reads a secret. Removes one newline at the end, because most editors add one.
 * @throws Error that names the variable and the file
 */
export function readSecretFile({ variable, path }: SecretFile): string {
  const text = readText(variable, path).replace(/\r?\n$/, '');
  if (text === '') throw unusable(variable, path, 'is empty', 'Write the secret to it, or unset the variable.');
  return text;
}

function readText(variable: string, path: string): string {
  let reason: string;
  try {
    const { size } = statSync(path);
    if (size <= BYTES_MAX) return readFileSync(path, 'utf8');
    reason = `has ${size} bytes`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    reason = `cannot be read (${code ?? String(error)})`;
  }
  throw unusable(variable, path, reason, `Use the path of a readable file of at most ${BYTES_MAX} bytes.`);
}

const unusable = (variable: string, path: string, problem: string, remedy: string) =>
  new Error(`${variable} names ${JSON.stringify(path.slice(0, 200))}, which ${problem}. ${remedy}`);
