import type { UpstreamStatus } from './upstream-types';

interface StatusWords {
  readonly color: string;
  readonly means: string;
}

export const STATUSES: Readonly<Record<UpstreamStatus, StatusWords>> = {
  ready: { color: 'green', means: 'The upstream receives its full share of the requests.' },
  limited: {
    color: 'yellow',
    means:
      'Rate limits or failures reduce its share of the requests. The other requests go to other upstreams. The share recovers with successful requests.',
  },
  draining: {
    color: 'grape',
    means: 'An operator is draining the upstream. New requests go to other upstreams until an admin resumes it.',
  },
  refused: {
    color: 'red',
    means:
      'The provider rejects the account or a model: the credential, the credit or the permissions. The last error shows the reason.',
  },
  failing: {
    color: 'red',
    means:
      'The upstream does not serve its requests. Individual requests test it, and all other requests go to other upstreams.',
  },
  unreachable: {
    color: 'red',
    means:
      'Several consecutive connections have failed. Requests go to other upstreams, and the gateway tries to connect again.',
  },
};
