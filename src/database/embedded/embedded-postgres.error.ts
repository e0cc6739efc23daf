/** The embedded PostgreSQL cannot be used: one line that says why and what to do instead, for the terminal. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';

  /** @param reason what went wrong, without a full stop; everything after its first line is left to `cause` */
  constructor(reason: string, options?: ErrorOptions) {
    const line = reason.split('\n')[0]?.trim() ?? '';
    super(
      `The embedded PostgreSQL cannot be used: ${line}. Set DATABASE_URL, or another folder in GW_DATA_DIR.`,
      options,
    );
  }
}
