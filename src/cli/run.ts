import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { GatewayError } from '../errors/gateway-error.js';
import { CliError, EXIT, type ExitCode } from './cli-error.js';
import type { Result } from './command.js';
import { parse } from './program.js';

const LOST =
  'It was done, but what cannot be shown again could not be written. Rotate the key, or reset the password, for another.';

interface Streams {
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/**
 * Runs one command line from its words to its exit code. Results go to stdout; errors to stderr, with `--json` as
 * `{"error": {"code", "message", "param"}}`. A reader that goes away (`| head`) is no error, unless a secret was lost.
 */
export async function run(argv: readonly string[], env: NodeJS.ProcessEnv, out: Streams = process): Promise<ExitCode> {
  const json = argv.includes('--json');
  try {
    const parsed = parse(argv);
    if ('help' in parsed) {
      await write(parsed.exitCode === EXIT.ok ? out.stdout : out.stderr, parsed.help);
      return parsed.exitCode;
    }
    return await tell(await parsed.work({ env, json }), json, out);
  } catch (error) {
    const told = asCliError(error);
    await write(out.stderr, `${json ? errorDocument(told) : errorText(told)}\n`);
    return told.exitCode;
  }
}

async function tell(result: Result, json: boolean, out: Streams): Promise<ExitCode> {
  const arrived = await write(out.stdout, json ? `${JSON.stringify(result.document)}\n` : result.text);
  if (!arrived && result.holdsSecret === true) throw new CliError('output_lost', LOST);
  return result.exitCode ?? EXIT.ok;
}

const errorDocument = ({ code, message, param }: CliError) => JSON.stringify({ error: { code, message, param } });

function errorText({ code, message, option }: CliError): string {
  const hint = code === 'usage' ? '\nAdd --help to see what there is.' : '';
  return `error: ${option === null ? '' : `${option}: `}${message}${hint}`;
}

/** Resolves once the system has taken all of it; false where it did not. */
function write(stream: Writable, text: string): Promise<boolean> {
  return new Promise((resolve) => stream.write(text, (error) => resolve(error === undefined || error === null)));
}

function asCliError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  if (!(error instanceof GatewayError)) return new CliError('internal_error', reasonOf(error));
  // Whoever has a shell on the machine may know the cause, which a client may not.
  const cause = error.cause === undefined ? '' : ` (${reasonOf(error.cause)})`;
  return new CliError(error.code, error.message + cause, { param: error.param });
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message || error.name : String(error));

/**
 * Silences everything except the command's own output. TypeORM reports a failed migration on stdout, whatever its settings,
 * and the driver warns on stderr: both would corrupt the JSON document.
 */
export function prepareProcess(): void {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  globalThis.console = new Console(nowhere);
  process.removeAllListeners('warning');
  // A closed pipe (`| head`) is handled at the write that fails.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
