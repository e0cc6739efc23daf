import type { Period } from '../../parts/period';
import { useEndpointStatistics } from '../statistics/statistics-query';

const SHOWN = 5;

export const useBusiestEndpoints = (period: Period) =>
  useEndpointStatistics({ period, keyId: null, model: null, limit: SHOWN, sortBy: 'request_count', sortDir: 'desc' });
