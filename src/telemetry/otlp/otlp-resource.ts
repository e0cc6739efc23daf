import { randomUUID } from 'node:crypto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  type Resource,
} from '@opentelemetry/resources';
import type { Config } from '../../config/config.js';

/** According to the convention, it is unique for each process. */
const INSTANCE_ID = randomUUID();

/** `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_SERVICE_NAME`, which OpenTelemetry reads itself, replace the gateway's attributes. */
export const otlpResource = ({ version }: Pick<Config, 'version'>): Resource =>
  defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': 'inference-gateway',
        'service.version': version,
        'service.instance.id': INSTANCE_ID,
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }));
