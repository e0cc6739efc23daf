import type { ExitCode } from './cli-error.js';

/** One call of the program. */
export interface Invocation {
  readonly env: NodeJS.ProcessEnv;
  /** `--json`: one document on stdout and nothing else. */
  readonly json: boolean;
}

/** The result of a command. */
export interface Result {
  /** For `--json`: the Admin API's response, if it has such a call. */
  readonly document: object;
  /** For people: lines, each with a line end. */
  readonly text: string;
  /** It cannot be shown again, so it must not get lost. */
  readonly holdsSecret?: true;
  /** Default: 0. */
  readonly exitCode?: ExitCode;
}

export type Work = (call: Invocation) => Promise<Result>;
