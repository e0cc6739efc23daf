import type { SettingKind } from './setting-kinds.js';
import { SETTINGS, type Setting } from './settings.data.js';

const HEAD = `# Settings

Read once at the start, from the environment. Unset means the default, and so does empty. A value that is not allowed ends
the start with exit code 78 and one line that names the variable, what it holds (never a secret) and what is allowed.
A \`GW_…\` variable that is none of them is not heeded: the start warns of it, and names the setting that is most like it.
This page is made from the code (\`npm run docs:settings\`).

| variable | default | allowed | meaning |
|---|---|---|---|
`;

/** docs/settings.md, whole. */
export function settingsTable(): string {
  return HEAD + (Object.values(SETTINGS) as Setting<unknown>[]).map(row).join('');
}

function row({ env, kind, byDefault, inProduction, inCurrent, mandatory, meaning }: Setting<unknown>): string {
  const production = mandatory
    ? '; **mandatory in production**'
    : inProduction === undefined
      ? ''
      : `; ${shown(inProduction, kind)} in production`;
  const current = inCurrent === undefined ? '' : `; ${shown(inCurrent, kind)} with \`GW_PROFILE=current\``;
  return `| \`${env}\` | ${shown(byDefault, kind)}${production}${current} | ${kind.allowed.replaceAll('|', '\\|')} | ${meaning} |\n`;
}

function shown(value: unknown, kind: SettingKind<unknown>): string {
  if (typeof value === 'boolean')
    return `\`${['on', 'off', 'true', 'false'].find((word) => kind.parse(word) === value)}\``;
  if (typeof value === 'number' || (typeof value === 'string' && value !== '')) return `\`${value}\``;
  return '–';
}
