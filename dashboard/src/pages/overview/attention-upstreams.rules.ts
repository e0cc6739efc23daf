import { counted } from '../../parts/numbers';
import type { Upstream, UpstreamList, UpstreamStatus } from '../upstreams/upstream-types';
import type { Concern } from './attention.rules';

interface Group {
  readonly status: Exclude<UpstreamStatus, 'ready'>;
  readonly urgent: boolean;
  readonly title: string;
  readonly detail: string;
}

const GROUPS: readonly Group[] = [
  {
    status: 'refused',
    urgent: true,
    title: 'with a rejected credential',
    detail: 'Replace the credential. Until then, drain the upstream if others can serve its models.',
  },
  {
    status: 'unreachable',
    urgent: true,
    title: 'unreachable',
    detail: 'Requests go to other upstreams, or fail if no other upstream serves the model.',
  },
  {
    status: 'limited',
    urgent: false,
    title: 'limited',
    detail: 'Rate limits or failures reduce its share of the requests.',
  },
  {
    status: 'draining',
    urgent: false,
    title: 'draining',
    detail: 'New requests go to other upstreams until an admin resumes it.',
  },
];

const TO = '/upstreams';

/** Returns nothing with a single account, whose state the readiness covers. */
export const upstreamConcerns = ({ upstreams, reload_failed }: UpstreamList): Concern[] => [
  ...(reload_failed ? [RELOAD_FAILED] : []),
  ...GROUPS.flatMap((group) => {
    const those = upstreams.filter(({ status }) => status === group.status);
    return those.length === 0 ? [] : [concernOf(group, those)];
  }),
];

const RELOAD_FAILED: Concern = {
  id: 'upstreams-file',
  urgent: true,
  title: 'The new upstreams file is invalid',
  detail: 'The gateway continues with the previous content, but it cannot start with this file. See its log.',
  to: TO,
  things: [],
};

const concernOf = ({ status, urgent, title, detail }: Group, those: readonly Upstream[]): Concern => ({
  id: `upstreams-${status}`,
  urgent,
  title: `${counted(those.length, 'upstream')} ${title}`,
  detail,
  to: TO,
  things: those.map(({ name }) => ({ label: name, to: `${TO}/${name}` })),
});
