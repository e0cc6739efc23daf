import type { ExitCode } from './cli-error.js';

export interface Invocation {
  readonly env: NodeJS.ProcessEnv;
  readonly json: boolean;
  /** Writes progress to stderr while a command runs: a line of text, or with `--json` a document `{"note"}`. */
  note(text: string): void;
}

export interface Result {
  /** With `--json`, this document is printed. It is the Admin API's response, if there is an equivalent route. */
  readonly document: object;
  /** Complete lines, each with its newline. */
  readonly text: string;
  /** The output contains a secret that cannot be shown again. A failed write is then an error. */
  readonly holdsSecret?: true;
  readonly exitCode?: ExitCode;
}

export type Work = (call: Invocation) => Promise<Result>;
