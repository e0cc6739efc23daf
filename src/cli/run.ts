import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { GatewayError } from '../platform/errors/gateway-error.js';
import { CliError, EXIT, type ExitCode } from './cli-error.js';
import type { Result } from './command.js';
import { parse } from './program.js';

const OUTPUT_LOST =
  'The command succeeded, but the new secret could not be written to stdout. Rotate the key, or reset the password again.';

interface Streams {
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/**
 * Runs one command line. Results go to stdout. Errors go to stderr, with `--json` as `{"error": {"code", "message", "param"}}`.
 * A closed pipe (`| head`) is an error only if a secret was lost.
 */
export async function run(argv: readonly string[], env: NodeJS.ProcessEnv, out: Streams = process): Promise<ExitCode> {
  const json = argv.includes('--json');
  try {
    const parsed = parse(argv);
    if ('help' in parsed) {
      await write(parsed.exitCode === EXIT.ok ? out.stdout : out.stderr, parsed.help);
      return parsed.exitCode;
    }
    const note = (text: string) => void write(out.stderr, `${json ? JSON.stringify({ note: text }) : text}\n`);
    return await writeResult(await parsed.work({ env, json, note }), json, out);
  } catch (error) {
    const failure = asCliError(error);
    await write(out.stderr, `${json ? errorDocument(failure) : errorText(failure)}\n`);
    return failure.exitCode;
  }
}

async function writeResult(result: Result, json: boolean, out: Streams): Promise<ExitCode> {
  const written = await write(out.stdout, json ? `${JSON.stringify(result.document)}\n` : result.text);
  if (!written && result.holdsSecret === true) throw new CliError('output_lost', OUTPUT_LOST);
  return result.exitCode ?? EXIT.ok;
}

const errorDocument = ({ code, message, param }: CliError) => JSON.stringify({ error: { code, message, param } });

function errorText({ code, message, option }: CliError): string {
  const hint = code === 'usage' ? '\nRun the command with --help to see its usage.' : '';
  return `error: ${option === null ? '' : `${option}: `}${message}${hint}`;
}

/** Returns whether the system accepted all of the text. */
function write(stream: Writable, text: string): Promise<boolean> {
  return new Promise((resolve) => stream.write(text, (error) => resolve(error === undefined || error === null)));
}

function asCliError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  if (!(error instanceof GatewayError)) return new CliError('internal_error', reasonOf(error));
  // Unlike an API client, a user with a shell on the machine can see the cause.
  const cause = error.cause === undefined ? '' : ` (${reasonOf(error.cause)})`;
  return new CliError(error.code, error.message + cause, { param: error.param });
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message || error.name : String(error));

/** Console output would corrupt the JSON: TypeORM reports failed migrations on stdout, and the driver warns on stderr. */
export function prepareProcess(): void {
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  globalThis.console = new Console(discard);
  process.removeAllListeners('warning');
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
