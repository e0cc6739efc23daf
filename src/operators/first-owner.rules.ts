import { type Config, ConfigError } from '../config/config.js';

/** Production makes no password up, and an owner that somebody has asked for is not left out without a word. @throws ConfigError */
export function refuseHalfAnOwner({ ownerEmail, ownerPassword }: Config): void {
  if ((ownerEmail === '') === (ownerPassword === '')) return;
  const names = ['GW_OWNER_EMAIL', 'GW_OWNER_PASSWORD'];
  const [missing, there] = ownerEmail === '' ? names : names.toReversed();
  throw new ConfigError(`${missing} is not set: ${there} needs it, both together make the first owner`);
}
