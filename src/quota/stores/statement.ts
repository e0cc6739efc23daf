import type { Client, Connection, Submittable } from 'pg';

/** Prepared once a connection under its name; the values go as text, arrays as '{1,2}'. */
export interface StatementText {
  readonly name: string;
  readonly text: string;
}

/** The columns of a row, as PostgreSQL writes them. */
export type TextRow = readonly (string | null)[];

/** What pg keeps and its types leave out: which statements the connection has prepared. */
interface PreparingConnection extends Connection {
  readonly parsedStatements: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs one statement by pg's protocol without pg's own Query: no description of the columns is asked for, nothing is
 * converted, all messages leave in one write. Resolves only when the server is ready again, that is after the commit.
 */
export function run(client: Client, statement: StatementText, values: (string | null)[]): Promise<TextRow[]> {
  return new Promise((resolve, reject) => {
    client.query(new RunningStatement(statement, values, resolve, reject));
  });
}

class RunningStatement implements Submittable {
  /** Read by pg, which notes under it that the connection has prepared the statement. */
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

  // The row counts it tells are not needed, and the end is told by `handleReadyForQuery`.
  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.resolve(this.rows);
  }

  handleError(error: Error): void {
    this.reject(error);
  }
}
