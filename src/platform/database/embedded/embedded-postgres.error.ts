export const EMBEDDED_ADVICE = 'Set DATABASE_URL, or set GW_DATA_DIR to another folder';

interface Options extends ErrorOptions {
  readonly advice?: string;
}

/** The embedded PostgreSQL cannot be used. The message is one line with the reason and the remedy. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  readonly problem: string;
  readonly advice: string;

  /** @param reason without a final period; only its first line is used */
  constructor(reason: string, { advice = EMBEDDED_ADVICE, ...options }: Options = {}) {
    const problem = `The embedded PostgreSQL cannot be used: ${reason.split('\n')[0]?.trim() ?? ''}`;
    super(`${problem}. ${advice}.`, options);
    this.problem = problem;
    this.advice = `${advice}.`;
  }
}
