import type { components, operations } from '../../api/schema';

/** The shapes of this section, as the gateway describes them. */
export type RequestLog = components['schemas']['RequestLogResponse'];
export type RequestLogQuery = NonNullable<operations['requestLogsList']['parameters']['query']>;
