import type { components, operations } from '../../api/schema';

export type RequestLog = components['schemas']['RequestLogResponse'];
export type RequestLogQuery = NonNullable<operations['requestLogsList']['parameters']['query']>;
