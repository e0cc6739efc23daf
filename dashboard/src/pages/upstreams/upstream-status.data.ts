import type { UpstreamStatus } from './upstream-types';

interface StatusWords {
  readonly color: string;
  readonly means: string;
}

export const STATUSES: Readonly<Record<UpstreamStatus, StatusWords>> = {
  ready: { color: 'green', means: 'The upstream gets all of its requests.' },
  limited: {
    color: 'yellow',
    means:
      'Rate limits or failures reduce the share of the requests that it gets. The other requests go to other upstreams. The share recovers with successful requests.',
  },
  draining: {
    color: 'grape',
    means: 'An operator drains the upstream. New requests go to other upstreams until an admin resumes it.',
  },
  refused: {
    color: 'red',
    means:
      'The provider rejects the account or a model: the credential, the credit or the permissions. The last error has the reason.',
  },
  failing: {
    color: 'red',
    means: 'The upstream does not serve its requests. Single requests test it, and the others go to other upstreams.',
  },
  unreachable: {
    color: 'red',
    means:
      'Several connections in a row have failed. Requests go to other upstreams, and the gateway tries to connect again.',
  },
};
