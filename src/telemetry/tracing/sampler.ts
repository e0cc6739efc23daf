import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import type { Config } from '../../config/config.js';

/** What `OTEL_TRACES_SAMPLER` and its argument say, in the standard's names. */
export function samplerOf({ tracesSampler, tracesSamplerArg }: Config): Sampler {
  switch (tracesSampler) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(tracesSamplerArg);
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(tracesSamplerArg) });
    default:
      return tracesSampler satisfies never;
  }
}
