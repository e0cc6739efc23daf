import { Config } from '../../config/config.js';
import { ProcessLog } from '../process-log.js';
import { Tracing } from './tracing.js';

/** Without a collector, the client's `traceparent` is forwarded unchanged (D6). */
class NoTracing extends Tracing {
  begin(): null {
    return null;
  }
}

export const tracingProvider = {
  provide: Tracing,
  inject: [Config, ProcessLog],
  useFactory: async (config: Config, log: ProcessLog): Promise<Tracing> => {
    if (config.otlpEndpoint === null || config.tracesExporter === 'none') return new NoTracing();
    const { OtlpTracing } = await import('./otlp-tracing.js');
    return new OtlpTracing(config, log);
  },
};
