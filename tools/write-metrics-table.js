import { writeFileSync } from 'node:fs';
import { metricsTable } from '../dist/src/telemetry/metrics/metrics.data.js';

writeFileSync('docs/metrics.md', metricsTable());
