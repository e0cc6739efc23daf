import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const WORKER = fileURLToPath(new URL('./worker.js', import.meta.url));
const EXEC_ARGV = [
  '--disable-warning=ExperimentalWarning',
  '--import',
  new URL('../typescript-hook.js', import.meta.url).href,
  '--import',
  'reflect-metadata',
];
/** A worker reports every ten seconds. Its event loop counts as blocked after this time without a report. */
const SILENCE_TIMEOUT_MS = Number(process.env.JEST_SILENCE_MS_MAX) || 240_000;

export class SpecProcess {
  #child;
  #running;
  #lastFile;
  #silence;
  #onEvent;

  constructor(config, workerId, onEvent) {
    this.#onEvent = onEvent;
    this.#child = fork(WORKER, [], {
      execArgv: EXEC_ARGV,
      env: { ...process.env, JEST_WORKER_ID: String(workerId) },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child.stdout.on('data', (chunk) => process.stdout.write(chunk));
    this.#child.stderr.on('data', (chunk) => process.stderr.write(chunk));
    this.#child.on('message', (message) => this.#onMessage(message));
    this.#child.on('error', (error) => this.#fail(error));
    this.#child.on('exit', (code, signal) => this.#onExit(code, signal));
    this.#child.send({ config }, () => undefined);
  }

  get alive() {
    return this.#child.exitCode === null && this.#child.signalCode === null && this.#child.connected;
  }

  /** Resolves with jest's result. @throws if the file cannot be loaded, its process ends, or its event loop is blocked */
  run(path) {
    return new Promise((resolve, reject) => {
      this.#running = { resolve, reject };
      if (!this.alive) return this.#onExit(this.#child.exitCode, this.#child.signalCode);
      this.#lastFile = path;
      this.#awaitReport();
      this.#child.send({ path }, (error) => error && this.#fail(error));
    });
  }

  stop() {
    this.#child.kill('SIGKILL');
  }

  #onMessage({ event, args, result, error }) {
    if (this.#running === undefined) return;
    this.#awaitReport();
    if (event !== undefined) this.#onEvent(event, args);
    if (error !== undefined) this.#fail(error);
    if (result === undefined) return;
    this.#take()?.resolve(result);
  }

  #awaitReport() {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => {
      this.#fail(reason(`The event loop was blocked for ${SILENCE_TIMEOUT_MS / 1000} s. The process was killed.`));
      this.stop();
    }, SILENCE_TIMEOUT_MS);
  }

  #onExit(code, signal) {
    const ending = signal === null ? `exit code ${code}` : `signal ${signal}`;
    this.#fail(reason(`The worker process ended before the spec file did (${ending}). It ran ${this.#lastFile} last.`));
  }

  #fail(error) {
    this.#take()?.reject(error);
  }

  #take() {
    clearTimeout(this.#silence);
    const running = this.#running;
    this.#running = undefined;
    return running;
  }
}

/** The stack is omitted, because it would point to this file. */
const reason = (message) => Object.assign(new Error(message), { stack: message });
