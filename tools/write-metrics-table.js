import { writeFileSync } from 'node:fs';
import { metricsTable } from '../dist/src/platform/telemetry/metrics/metrics.data.js';

writeFileSync('docs/metrics.md', metricsTable());
