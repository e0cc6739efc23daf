import type { Command } from 'commander';
import { withJson, type Choose } from '../command.js';

/** `doctor`. */
export function addDoctorCommand(program: Command, choose: Choose): void {
  const doctor = withJson(program.command('doctor').description('look whether all is well, and tell what to do'));
  doctor.action(() => choose(async (call) => (await import('./doctor-work.js')).doctor(call)));
}
