import { spawn } from 'node:child_process';
import { basename } from 'node:path';

interface FileReport {
  readonly name: string;
  readonly status: 'passed' | 'failed';
  readonly message: string;
  readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
}

export interface JestRun {
  readonly exitCode: number | null;
  readonly files: Readonly<Record<string, FileReport>>;
  readonly output: string;
}

/** Runs jest on spec files in `fixtures`. @param args file names without `.spec.ts`, and options */
export async function runJest(args: readonly string[], env: Record<string, string> = {}): Promise<JestRun> {
  const { stdout, stderr, exitCode } = await jest(['--json', ...args], env);
  // With --json the rest of the output goes to stderr, except what the spec files write themselves.
  const [json = ''] = /^\{"num.*$/m.exec(stdout) ?? [];
  const { testResults = [] } = json === '' ? {} : (JSON.parse(json) as { testResults?: FileReport[] });
  return {
    exitCode,
    files: Object.fromEntries(testResults.map((file) => [basename(file.name, '.spec.ts'), file])),
    output: stdout + stderr,
  };
}

async function jest(args: readonly string[], env: Record<string, string>) {
  const paths = args.map((arg) => (arg.startsWith('-') ? arg : `test/slow/project/runner/fixtures/${arg}.spec.ts`));
  const options = ['--config=test/slow/project/runner/fixtures/jest.config.js', '--ci', '--colors=false'];
  const child = spawn(process.execPath, ['node_modules/jest/bin/jest.js', ...options, ...paths], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { stdout, stderr, exitCode };
}
