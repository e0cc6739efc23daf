export const EMBEDDED_ADVICE = 'Set DATABASE_URL, or another folder in GW_DATA_DIR';

interface Options extends ErrorOptions {
  /** What to do, without a full stop. */
  readonly advice?: string;
}

/** The embedded PostgreSQL cannot be used: one line that says why and what to do instead, for the terminal. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  /** The two halves of the message, for who shows them apart. */
  readonly problem: string;
  readonly advice: string;

  /** @param reason what went wrong, without a full stop; everything after its first line is left to `cause` */
  constructor(reason: string, { advice = EMBEDDED_ADVICE, ...options }: Options = {}) {
    const problem = `The embedded PostgreSQL cannot be used: ${reason.split('\n')[0]?.trim() ?? ''}`;
    super(`${problem}. ${advice}.`, options);
    this.problem = problem;
    this.advice = `${advice}.`;
  }
}
