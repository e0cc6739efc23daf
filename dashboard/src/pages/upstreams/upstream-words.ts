import { count, plural } from '../../parts/numbers';
import type { Upstream } from './upstream-types';

const API_LABELS = { openai: 'OpenAI', anthropic: 'Anthropic' } as const;

export const apisInWords = ({ apis }: Upstream): string => apis.map((api) => API_LABELS[api]).join(', ');

export const shareInWords = ({ share }: Upstream): string => `${Math.round(share * 100)}%`;

export const connectionsInWords = ({ connections, waiting }: Upstream): string => {
  const open = `${count(connections)} ${plural(connections, 'connection')}`;
  return waiting === 0 ? open : `${open}, ${count(waiting)} waiting`;
};

export const failoversInWords = ({ failovers }: Upstream): string =>
  `${count(failovers)} ${plural(failovers, 'failover')}`;

export const placeInWords = ({ region, tags }: Upstream): string =>
  [...(region === null ? [] : [region]), ...tags].join(', ');
