/** What a command's exit code says; docs/cli.md tells the same. */
export const EXIT = {
  ok: 0,
  /** The command was understood and did not succeed; of `doctor`: something failed. */
  failed: 1,
  /** Unknown command or option, a value that is missing, not allowed or given twice: nothing was done. */
  usage: 2,
  /** A setting of the environment cannot be used, as at the gateway's start. */
  badSetting: 78,
  /** Ctrl-C, as shells count it. */
  cancelled: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

interface Details {
  readonly param?: string | null;
  readonly option?: string | null;
  readonly exitCode?: ExitCode;
}

/** Ends a command. `message` is for whoever typed it: one line or a few, without a secret. */
export class CliError extends Error {
  /** The field of the Admin API at fault; null: none. */
  readonly param: string | null;
  /** The same as it is typed: `--rpm`. */
  readonly option: string | null;
  readonly exitCode: ExitCode;

  /** @param code stable, for scripts: one of the Admin API's, or one that docs/cli.md lists */
  constructor(
    readonly code: string,
    message: string,
    { param = null, option = null, exitCode = EXIT.failed }: Details = {},
  ) {
    super(message);
    this.param = param;
    this.option = option;
    this.exitCode = exitCode;
  }
}

export const usageError = (message: string): CliError => new CliError('usage', message, { exitCode: EXIT.usage });
