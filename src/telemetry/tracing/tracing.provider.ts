import { Config } from '../../config/config.js';
import { ProcessLog } from '../process-log.js';
import { Tracing } from './tracing.js';

/** Without a collector: nothing is loaded, and `traceparent` goes upstream as it came (D6). */
class NoTracing extends Tracing {
  begin(): null {
    return null;
  }
}

/** Loads OpenTelemetry only where there is somewhere to send spans to. */
export const tracingProvider = {
  provide: Tracing,
  inject: [Config, ProcessLog],
  useFactory: async (config: Config, log: ProcessLog): Promise<Tracing> => {
    if (config.otlpEndpoint === null) return new NoTracing();
    const { OtlpTracing } = await import('./otlp-tracing.js');
    return new OtlpTracing(config, log);
  },
};
