import { GatewayError } from '../platform/errors/gateway-error.js';

/** Exit codes. Scripts depend on them, and docs/cli.md documents them. */
export const EXIT = {
  ok: 0,
  /** The command line is valid, but the command did not succeed. For `doctor`, at least one check failed. */
  failed: 1,
  /** An option is unknown, or a value is missing, invalid or repeated. Nothing was changed. */
  usage: 2,
  /** A setting is invalid. The gateway exits with the same code at startup. */
  badSetting: 78,
  cancelled: 130,
  /** SIGTERM stopped `migrate`. The running migration was rolled back. */
  terminated: 143,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

interface Details {
  readonly param?: string | null;
  readonly option?: string | null;
  readonly exitCode?: ExitCode;
}

/** Ends a command with an exit code. The message is printed, so it must not contain a secret. */
export class CliError extends Error {
  readonly param: string | null;
  readonly option: string | null;
  readonly exitCode: ExitCode;

  /** @param code an error code of the Admin API or of docs/cli.md; scripts depend on it */
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

/** Replaces the advice of the Admin API, which names routes and fields, with advice that names commands and options. */
export async function withAdvice<T>(advice: Readonly<Record<string, string>>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const message = Object.entries(advice).reduce((text, [api, cli]) => text.replace(api, () => cli), error.message);
    throw message === error.message
      ? error
      : new GatewayError(error.code, message, { param: error.param, cause: error.cause });
  }
}
