import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/api-error';

const STALE_MS = 10_000;
const RETRIES_MAX = 2;

export const newQueryClient = (): QueryClient =>
  new QueryClient({ defaultOptions: { queries: { staleTime: STALE_MS, retry: isWorthRepeating } } });

function isWorthRepeating(failures: number, error: Error): boolean {
  if (failures >= RETRIES_MAX) return false;
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 500;
}
