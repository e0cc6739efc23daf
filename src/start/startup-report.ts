import { SETTINGS } from '../config/settings.data.js';
import type { Environment } from '../config/config.js';

const WARN = 40;
const FATAL = 60;

/**
 * Writes startup problems and warnings to stderr, before there is a log. In production they are JSON lines like those of the
 * log. They contain no secret values.
 */
export class StartupReport {
  private readonly json: boolean;

  constructor(env: Environment) {
    this.json = env[SETTINGS.environment.env] === 'production';
  }

  problems(messages: readonly string[]): void {
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
