import { spawn, type SpawnOptions } from 'node:child_process';

const OUTPUT_CHARACTERS_MAX = 20_000;

/** A program as it is to be spawned. */
export interface Run {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'>;
}

interface ProgramEnd {
  /** null: ended by a signal, or never started. */
  readonly code: number | null;
  /** Both streams, the last part of them. */
  readonly output: string;
}

/** Runs a program to its end. Resolves whatever comes of it. */
export function runProgram(run: Run): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    const child = spawn(run.file, run.args, { ...run.options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-OUTPUT_CHARACTERS_MAX);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => resolve({ code: null, output: output + error.message }));
    child.on('close', (code) => resolve({ code, output }));
  });
}
