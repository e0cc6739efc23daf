import { Module } from '@nestjs/common';
import { AccessLog } from './access-log.js';
import { ProcessLog } from './process-log.js';

/** Definitions of what is logged, apart from those who log, so that names are one vocabulary. Logging never fails a request. */
@Module({ providers: [ProcessLog, AccessLog], exports: [ProcessLog, AccessLog] })
export class TelemetryModule {}
