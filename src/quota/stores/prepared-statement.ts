import type { Client, Connection, Submittable } from 'pg';

/** Prepared once per connection under its name. The values are sent as text, arrays as '{1,2}'. */
export interface StatementText {
  readonly name: string;
  readonly text: string;
}

/** An array as a text value; its elements must not need quotes. */
export const listOf = (values: readonly string[]): string => `{${values.join(',')}}`;

/** The columns of a row, as PostgreSQL writes them. */
export type TextRow = readonly (string | null)[];

/** A field of pg that its types leave out: which statements the connection has prepared. */
interface PreparingConnection extends Connection {
  readonly parsedStatements: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs one statement by pg's protocol without pg's own Query: no description of the columns is requested, no value is
 * converted, all messages are sent in one write. Resolves when the server is ready again, which is after the commit.
 */
export function run(client: Client, statement: StatementText, values: (string | null)[]): Promise<TextRow[]> {
  return new Promise((resolve, reject) => {
    client.query(new RunningStatement(statement, values, resolve, reject));
  });
}

const LOCK_NOT_AVAILABLE = '55P03';
/** Statement timeout, lock timeout, deadlock, serialization: reported before the commit, on a connection that stays open. */
const ROLLED_BACK: readonly unknown[] = ['57014', LOCK_NOT_AVAILABLE, '40P01', '40001'];

export const isLockTimeout = (error: unknown): boolean => codeOf(error) === LOCK_NOT_AVAILABLE;

/** The server has reported that nothing was stored. Any other error can have come after the commit. */
export const wasRolledBack = (error: unknown): boolean => ROLLED_BACK.includes(codeOf(error));

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

class RunningStatement implements Submittable {
  /** pg records under this name that the connection has prepared the statement. */
  readonly name: string;
  readonly text: string;
  private readonly rows: TextRow[] = [];

  constructor(
    statement: StatementText,
    private readonly values: (string | null)[],
    private readonly resolve: (rows: TextRow[]) => void,
    private readonly reject: (error: Error) => void,
  ) {
    this.name = statement.name;
    this.text = statement.text;
  }

  submit(connection: Connection): void {
    const { name, text } = this;
    connection.stream.cork();
    if ((connection as PreparingConnection).parsedStatements[name] === undefined) {
      connection.parse({ name, text, types: [] }, true);
    }
    connection.bind({ statement: name, values: this.values }, true);
    connection.execute(null, true);
    connection.sync();
    connection.stream.uncork();
  }

  handleDataRow(message: { readonly fields: TextRow }): void {
    this.rows.push(message.fields);
  }

  // Its row count is not needed, and `handleReadyForQuery` marks the end.
  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.resolve(this.rows);
  }

  handleError(error: Error): void {
    this.reject(error);
  }
}
