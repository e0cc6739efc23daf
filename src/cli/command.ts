import type { Command } from 'commander';
import type { ExitCode } from './cli-error.js';

/** One call of the program. */
export interface Invocation {
  readonly env: NodeJS.ProcessEnv;
  /** `--json`: one document on stdout, nothing beside it. */
  readonly json: boolean;
}

/** What a command has to say once it is done. */
export interface Result {
  /** For `--json`: what the Admin API answers, where it has such a call. */
  readonly document: object;
  /** For people: lines, with a line end at the last one. */
  readonly text: string;
  /** It holds what cannot be shown again, so it must not get lost. */
  readonly holdsSecret?: true;
  /** Left out: 0. */
  readonly exitCode?: ExitCode;
}

export type Work = (call: Invocation) => Promise<Result>;

/** Takes the command that was typed. Commands are only chosen while commander parses: what they do comes after. */
export type Choose = (work: Work) => void;

/** Ends the definition of a command that does something. */
export function withJson(command: Command): Command {
  return command.option('--json', 'one JSON document on stdout instead of text for people');
}
