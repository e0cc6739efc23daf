import type { ExitCode } from './cli-error.js';

export interface Invocation {
  readonly env: NodeJS.ProcessEnv;
  readonly json: boolean;
  /** Writes progress to stderr while a command runs: a line of text, or with `--json` a document `{"note"}`. */
  note(text: string): void;
}

export interface Result {
  /** For `--json`: the Admin API's response, if it has an equivalent route. */
  readonly document: object;
  /** Complete lines, each with its newline. */
  readonly text: string;
  /** The output contains a secret that cannot be shown again, so a failed write is an error. */
  readonly holdsSecret?: true;
  readonly exitCode?: ExitCode;
}

export type Work = (call: Invocation) => Promise<Result>;
