import type { Config } from '../../config/config.js';
import { pricedUpstreams } from '../priced-upstreams.rules.js';

/** A provider account, by the name that `cost_daily` has for it. */
export interface Account {
  readonly name: string;
  readonly baseUrl: URL;
  /** The name of the provider in exports: that of the upstream or, for the single account, its host. */
  readonly label: string;
  readonly region: string | null;
}

/** The accounts as they are configured now, in the order of their file. */
export function accountsOf(config: Config): readonly Account[] {
  const specs = config.upstreams?.file.upstreams;
  return [...pricedUpstreams(config)].map(([name, baseUrl]) => ({
    ...{ name, baseUrl },
    label: specs === undefined ? labelOf(name, baseUrl) : name,
    region: specs?.find((spec) => spec.name === name)?.region ?? null,
  }));
}

/** A host below `invalid` stands for a missing setting. */
const labelOf = (name: string, { hostname }: URL): string => (hostname.endsWith('.invalid') ? name : hostname);
