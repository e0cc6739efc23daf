import type { components, operations } from '../../api/schema';

export type RequestLog = components['schemas']['ListedRequestResponse'];
export type RequestQuery = Omit<
  NonNullable<operations['requestsList']['parameters']['query']>,
  'cursor' | 'limit' | 'format'
>;
