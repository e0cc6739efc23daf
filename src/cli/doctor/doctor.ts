import { styleText } from 'node:util';
import { EXIT } from '../cli-error.js';
import type { Invocation, Result } from '../command.js';
import { printable } from '../text-table.js';
import { checkDatabase } from './database-check.js';
import { checkDataDir, checkSecretKey } from './files-check.js';
import type { Finding, Status } from './finding.js';
import { checkPort, checkUpstream } from './network-checks.js';
import { checkSettings } from './settings-check.js';

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

const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red', skipped: 'gray' } as const satisfies Record<Status, string>;
const WORDS = { ok: 'ok', warn: 'warn', fail: 'FAIL', skipped: '-' } as const satisfies Record<Status, string>;
const WORD_WIDTH = 4;
const UNREAD = 'Nothing else was looked at: put the settings right first.\n';

/** @param all false: the settings could not be read, so that the rest is missing */
export function doctorText(checks: readonly Finding[], all: boolean): string {
  const width = Math.max(...checks.map(({ check }) => check.length));
  const lines = checks.map(({ check, status, message, advice }) => {
    // Coloured on a terminal only, and not where NO_COLOR is set.
    const word = styleText(COLOURS[status], WORDS[status].padEnd(WORD_WIDTH), { stream: process.stdout });
    const line = `${word}  ${check.padEnd(width)}  ${printable(message)}\n`;
    return advice === null ? line : `${line}${' '.repeat(WORD_WIDTH + width + 4)}-> ${printable(advice)}\n`;
  });
  return `${lines.join('')}${all ? '' : UNREAD}\n${summary(checks)}\n`;
}

function summary(checks: readonly Finding[]): string {
  const count = (status: Status) => checks.filter((finding) => finding.status === status).length;
  if (count('fail') === 0 && count('warn') === 0) return 'All is well.';
  return `${count('fail')} failed, ${count('warn')} to look at, ${count('ok')} ok.`;
}
