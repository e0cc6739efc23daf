import { EXIT } from '../cli-error.js';
import type { Invocation, Result } from '../command.js';
import { checkDatabase } from './database-check.js';
import { doctorText } from './doctor-text.js';
import { checkDataDir, checkSecretKey } from './files-check.js';
import type { Finding } from './finding.js';
import { checkPort } from './port-check.js';
import { checkSettings } from './settings-check.js';
import { checkUpstream } from './upstream-check.js';

/** Looks at everything that a gateway with these settings needs, and changes nothing of it. */
export async function doctor({ env }: Invocation): Promise<Result> {
  const { findings: settings, config } = checkSettings(env);
  // Which database, which provider: with a setting that is wrong the answers would be about something else.
  const [files, database, rest] =
    config === null
      ? [[], [], []]
      : await Promise.all([
          Promise.all([checkDataDir(config), checkSecretKey(config)]),
          checkDatabase(config),
          Promise.all([checkUpstream(config), checkPort(config)]),
        ]);
  const checks: Finding[] = [...settings, ...files, ...database, ...rest];
  const healthy = !checks.some(({ status }) => status === 'fail');
  return {
    document: { ok: healthy, checks },
    text: doctorText(checks, config !== null),
    exitCode: healthy ? EXIT.ok : EXIT.failed,
  };
}
