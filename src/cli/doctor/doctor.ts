import { styleText } from 'node:util';
import { EXIT } from '../cli-error.js';
import type { Invocation, Result } from '../command.js';
import { printable } from '../text-table.js';
import { checkDatabase } from './database-check.js';
import { checkEgressProxies, checkOpenFiles, checkUpstreamCertificates } from './egress-checks.js';
import { checkDataDir, checkSecretKey, checkSettings } from './local-checks.js';
import type { Finding, Status } from './finding.js';
import { checkPort, checkUpstreams } from './network-checks.js';

export async function doctor({ env }: Invocation): Promise<Result> {
  const { findings: settings, config } = checkSettings(env);
  // With an invalid setting, the other checks could test the wrong database or provider.
  const [files, database, rest] =
    config === null
      ? [[], [], []]
      : await Promise.all([
          Promise.all([checkDataDir(config), checkSecretKey(config)]),
          checkDatabase(config),
          Promise.all([
            checkEgressProxies(config),
            checkUpstreamCertificates(config),
            checkUpstreams(config),
            checkPort(config),
            Promise.resolve(checkOpenFiles(config)),
          ]),
        ]);
  const checks: Finding[] = [...settings, ...files, ...database, ...rest.flat()];
  const healthy = !checks.some(({ status }) => status === 'fail');
  return {
    document: { ok: healthy, checks },
    text: doctorText(checks, config !== null),
    exitCode: healthy ? EXIT.ok : EXIT.failed,
  };
}

const COLORS = { ok: 'green', warn: 'yellow', fail: 'red', skipped: 'gray' } as const satisfies Record<Status, string>;
const LABELS = { ok: 'ok', warn: 'warn', fail: 'FAIL', skipped: '-' } as const satisfies Record<Status, string>;
const LABEL_WIDTH = 4;
const SKIPPED = 'The other checks were skipped. Fix the settings first.\n';

/** @param all false if only the settings were checked, because they are invalid */
function doctorText(checks: readonly Finding[], all: boolean): string {
  const width = Math.max(...checks.map(({ check }) => check.length));
  const lines = checks.map(({ check, status, message, advice }) => {
    // `styleText` omits the color if stdout is not a terminal, or if NO_COLOR is set.
    const label = styleText(COLORS[status], LABELS[status].padEnd(LABEL_WIDTH), { stream: process.stdout });
    const line = `${label}  ${check.padEnd(width)}  ${printable(message)}\n`;
    return advice === null ? line : `${line}${' '.repeat(LABEL_WIDTH + width + 4)}-> ${printable(advice)}\n`;
  });
  return `${lines.join('')}${all ? '' : SKIPPED}\n${summary(checks)}\n`;
}

function summary(checks: readonly Finding[]): string {
  const count = (status: Status) => checks.filter((finding) => finding.status === status).length;
  if (count('fail') === 0 && count('warn') === 0) return 'No problems found.';
  return `${count('fail')} failed, ${count('warn')} with warnings, ${count('ok')} ok.`;
}
