import { USAGE_KINDS, USAGE_KIND_NAMES, type UsageKind } from '../costs/usage-kinds.data.js';
import type { InputOption } from './input-options.js';
import { PAGE_OPTIONS } from './options.data.js';

export const PRICE_LIST_OPTIONS: readonly InputOption[] = [
  { flags: '--model <id>', field: 'model', description: 'only prices that can apply to this model' },
  { flags: '--provider <name>', field: 'provider', description: 'only prices of this upstream, or "*"' },
  ...PAGE_OPTIONS,
];

export const PRICE_SHOW_OPTIONS: readonly InputOption[] = [
  { flags: '--provider <name>', field: 'provider', description: 'upstream (required with several upstreams)' },
  { flags: '--at <time>', field: 'at', description: 'time of the request, ISO 8601 (default: now)' },
];

const priceUnit = (kind: UsageKind): string =>
  kind === 'audio_seconds' ? 'dollars per 1,000 hours of audio' : `dollars per million (${USAGE_KINDS[kind].unit})`;

/** The fields are the paths of the Admin API's body, so that errors name the option. */
export const PRICE_SET_OPTIONS: readonly InputOption[] = [
  ...USAGE_KIND_NAMES.filter((kind) => USAGE_KINDS[kind].measured).map((kind) => ({
    flags: `--${kind.replaceAll('_', '-')} <price>`,
    field: `prices.${kind}`,
    description: `price of ${kind.replaceAll('_', ' ')}, ${priceUnit(kind)}`,
  })),
  {
    flags: '--list <provider>',
    field: 'list',
    description: 'use published prices of this provider, or "maker", instead',
  },
  { flags: '--provider <name>', field: 'provider', description: 'upstream (default: all upstreams)' },
  { flags: '--from <time>', field: 'valid_from', description: 'first time, ISO 8601 (default: now)' },
  { flags: '--to <time>', field: 'valid_to', description: 'time at which the price ends (default: never)' },
  {
    flags: '--hours <times>',
    field: 'hours',
    description: 'hours of the day in UTC, such as 16:30-00:30 (default: all)',
  },
  { flags: '--note <text>', field: 'note', description: 'reason, shown to other operators' },
];

export const RECOMPUTE_OPTIONS: readonly InputOption[] = [
  {
    flags: '--model <id>',
    field: 'model',
    description: 'only requests that this model served, or that requested it',
  },
  { flags: '--provider <name>', field: 'provider', description: 'only requests to this upstream' },
  { flags: '--since <time>', field: 'since', description: 'earliest start of a request, ISO 8601' },
  { flags: '--until <time>', field: 'until', description: 'latest start of a request' },
];
