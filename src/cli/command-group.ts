import type { Command } from 'commander';
import type { Invocation, Result } from './command.js';
import type { InputOption } from './input-options.js';

type CommandWork = (
  call: Invocation,
  input: Record<string, unknown>,
  argument: string,
  secondArgument: string,
) => Promise<Result>;

/**
 * Adds a command's options and action. The module is imported only when the command runs, because the import takes a second.
 */
export type Define = (command: Command, inputs: readonly InputOption[], work: CommandWork) => void;

export const groupOf = (program: Command, name: string, description: string): Command =>
  program.command(name).description(description).usage('COMMAND [options]');

export const commandOf = (group: Command, name: string, description: string): Command =>
  group.command(name).description(description).option('--json', 'print one JSON document on stdout instead of text');
