import type { Client, Connection, Submittable } from 'pg';

export interface StatementText {
  readonly name: string;
  readonly text: string;
}

/** Formats a PostgreSQL array literal. No element can contain characters that need quoting. */
export const listOf = (values: readonly string[]): string => `{${values.join(',')}}`;

/** Formats a composite value. No field can contain characters that need quoting. */
export const rowOf = (fields: readonly (string | number)[]): string => `(${fields.join(',')})`;

export const rowOfLists = (lists: readonly string[]): string => `("${lists.join('","')}")`;

/** Formats an array of composite values, none of which contains quotes. */
export const rowsOf = (rows: readonly string[]): string => (rows.length === 0 ? '{}' : `{"${rows.join('","')}"}`);

/** The elements of an array in PostgreSQL's text format, none of which contains characters that need quoting. */
export function textsOf(array: string | null | undefined): readonly string[] {
  return array === null || array === undefined || array === '{}' ? [] : array.slice(1, -1).split(',');
}

export const numbersOf = (array: string | null | undefined): readonly (number | null)[] =>
  textsOf(array).map((text) => (text === 'NULL' ? null : Number(text)));

export const bigintsOf = (array: string | null | undefined): readonly (bigint | null)[] =>
  textsOf(array).map((text) => (text === 'NULL' ? null : BigInt(text)));

export type TextRow = readonly (string | null)[];

/** `parsedStatements` is missing from pg's types. */
interface PreparingConnection extends Connection {
  readonly parsedStatements: Readonly<Record<string, string | undefined>>;
}

/** Runs a statement without pg's own Query, which would do more work. Resolves after the commit, when the server is ready again. */
export function run(client: Client, statement: StatementText, values: (string | null)[]): Promise<TextRow[]> {
  return new Promise((resolve, reject) => {
    client.query(new RunningStatement(statement, values, resolve, reject));
  });
}

const LOCK_NOT_AVAILABLE = '55P03';
/**
 * Statement timeout, lock timeout, deadlock, serialization failure, and the classes of invalid values and violated constraints: nothing was
 * stored, and the connection stays open.
 */
const ROLLED_BACK = /^(?:57014|55P03|40P01|40001|22...|23...)$/;

export const isLockTimeout = (error: unknown): boolean => codeOf(error) === LOCK_NOT_AVAILABLE;

/** False for any error that could have occurred after the commit. */
export const wasRolledBack = (error: unknown): boolean => ROLLED_BACK.test(String(codeOf(error)));

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

class RunningStatement implements Submittable {
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

  // Required by pg. `handleReadyForQuery` marks the end.
  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.resolve(this.rows);
  }

  handleError(error: Error): void {
    this.reject(error);
  }
}
