import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigError, type Config } from '../platform/config/config.js';
import { SETTINGS, type Setting } from '../platform/config/settings.data.js';

export interface DevelopmentSecrets extends Pick<Config, 'adminKeys' | 'secretKeys' | 'ownerEmail' | 'ownerPassword'> {
  readonly files: { readonly adminKey: string | null; readonly ownerPassword: string | null };
}

const OWNER_EMAIL = 'owner@localhost';

/** Secrets are generated once and kept in files that only this user can read (0600). @throws ConfigError */
export function keepDevelopmentSecrets(config: Config): DevelopmentSecrets {
  const folder = resolve(config.dataDir);
  const adminKeyFile = join(folder, 'admin-key');
  const ownerPasswordFile = join(folder, 'owner-password');
  const [hasAdminKey, hasOwnerPassword] = [config.adminKeys.length > 0, config.ownerPassword !== ''];
  return {
    adminKeys: hasAdminKey ? config.adminKeys : readOrGenerate(adminKeyFile, SETTINGS.adminKeys, generateAdminKey),
    secretKeys:
      config.secretKeys.length > 0
        ? config.secretKeys
        : readOrGenerate(join(folder, 'secret-key'), SETTINGS.secretKeys, generateSecretKey),
    ownerEmail: config.ownerEmail === '' ? OWNER_EMAIL : config.ownerEmail,
    ownerPassword: hasOwnerPassword
      ? config.ownerPassword
      : readOrGenerate(ownerPasswordFile, SETTINGS.ownerPassword, () => randomBytes(18).toString('base64url')),
    files: {
      adminKey: hasAdminKey ? null : adminKeyFile,
      ownerPassword: hasOwnerPassword ? null : ownerPasswordFile,
    },
  };
}

export const generateAdminKey = (): string => `admin_gw_${randomBytes(24).toString('hex')}`;
export const generateSecretKey = (): string => randomBytes(32).toString('base64');

function readOrGenerate<T>(file: string, { env, kind }: Setting<T>, generate: () => string): T {
  const value = kind.parse(readOrNull(file) ?? write(file, generate()));
  if (value !== undefined) return value;
  // An empty or truncated file must not become the secret.
  throw new ConfigError(
    `${file} does not contain a valid ${env} (${kind.allowed}). ` +
      `Restore the file, set ${env}, or delete the file to generate a new secret.`,
  );
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw unusable(file, error);
  }
}

function write(file: string, secret: string): string {
  try {
    mkdirSync(resolve(file, '..'), { recursive: true, mode: 0o700 });
    writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    // On a full disk, part of the secret might have been written.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(file, { force: true });
    throw unusable(file, error);
  }
  return secret;
}

const unusable = (file: string, error: unknown) =>
  new ConfigError(
    `GW_DATA_DIR cannot be used: ${file}: ${(error as NodeJS.ErrnoException).code ?? String(error)}. ` +
      'Set another folder, or set GW_ADMIN_KEY, GW_SECRET_KEY, GW_OWNER_PASSWORD and DATABASE_URL.',
  );
