import { Module } from '@nestjs/common';
import { ReadTurns } from './read-turns.js';

/**
 * The one line in which reads of operators wait for the database. A module, because each module with a controller under
 * /admin needs the same line: one that does not import it stops the start. A full line refuses (503 `service_unavailable`).
 */
@Module({ providers: [ReadTurns], exports: [ReadTurns] })
export class ReadTurnsModule {}
