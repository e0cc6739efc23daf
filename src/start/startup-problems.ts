import type { Environment } from '../platform/config/config.js';
import { SETTINGS } from '../platform/config/settings.data.js';

const WARN = 40;
const FATAL = 60;

/**
 * Writes startup errors and warnings to stderr before the log exists. In production they are JSON lines like those of the log. They
 * contain no secret values.
 */
export class StartupProblems {
  private readonly json: boolean;

  constructor(env: Environment) {
    this.json = env[SETTINGS.environment.env] === 'production';
  }

  fatal(messages: readonly string[]): void {
    for (const message of messages) this.write(FATAL, message, message);
  }

  warning(message: string): void {
    this.write(WARN, message, `warning: ${message}`);
  }

  private write(level: number, msg: string, text: string): void {
    const line = this.json ? JSON.stringify({ level, time: new Date().toISOString(), context: 'Start', msg }) : text;
    process.stderr.write(`${line}\n`);
  }
}
