import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { LoggerService } from '@nestjs/common';
import type { Config, Environment } from '../platform/config/config.js';
import { fileStamp } from '../platform/config/upstreams/file-access.js';
import { readSecretFile, secretFilesOf, type SecretFile } from '../platform/config/secret-files.js';
import { RELOADABLE, type Reloaded } from '../platform/config/setting-reloads.js';
import { guessableProblem } from '../platform/config/secret-strength.rules.js';
import { secretProblem } from '../platform/config/setting-problems.rules.js';
import { SETTINGS, type Setting, type SettingName } from '../platform/config/settings.data.js';
import type { Stoppable } from '../platform/lifecycle.js';
import { FilePoll, POLL_INTERVAL_MS } from './file-poll.js';

interface Watched {
  readonly file: SecretFile;
  stamp: string;
  text: string | null;
  /** A change that the previous poll found. It is applied if this poll finds it too, so that a half-written file is never used. */
  pending: Content | null;
}

type Content = { readonly text: string } | { readonly problem: string };

/**
 * Reads the files of `…_FILE` variables again when they change (ADR 0031). A usable new secret is applied without a restart
 * where that is safe. Otherwise the gateway keeps the current value, and logs the file and the problem, never the value.
 */
export class SecretFileWatch implements Stoppable {
  private readonly watched: Watched[];
  private readonly polling: FilePoll;

  constructor(
    env: Environment,
    private config: Config,
    private readonly log: LoggerService,
    intervalMs = POLL_INTERVAL_MS,
  ) {
    // A pipe delivers its content once, and reading it again could block the process.
    this.watched = secretFilesOf(env)
      .filter(({ path }) => statSync(path, { throwIfNoEntry: false })?.isFile() !== false)
      .map((file) => ({ file, stamp: '', text: textInUse(file, config), pending: null }));
    this.polling = new FilePoll(() => this.poll(), intervalMs);
  }

  stop(): Promise<void> {
    return this.polling.stop();
  }

  private async poll(): Promise<void> {
    for (const watched of this.watched)
      await this.check(watched).catch((error: unknown) => {
        this.log.error(`Cannot use ${watched.file.path}: ${String(error)}`, undefined, 'Settings');
      });
  }

  private async check(watched: Watched): Promise<void> {
    const { stamp, readable } = await stateOf(watched.file.path);
    if (stamp === watched.stamp && watched.pending === null) return;
    watched.stamp = stamp;
    const content = readable ? read(watched.file) : notAFile(watched.file);
    if ('text' in content && content.text === watched.text) {
      watched.pending = null;
    } else if (watched.pending !== null && keyOf(content) === keyOf(watched.pending)) {
      watched.pending = null;
      this.settle(watched, content);
    } else {
      watched.pending = content;
    }
  }

  private settle(watched: Watched, content: Content): void {
    const { env, path } = watched.file;
    const problem = 'text' in content ? this.problemOf(watched.file, content.text) : content.problem;
    if (problem !== null) {
      this.log.error(`${problem} The gateway keeps the current value of ${env}.`, undefined, 'Settings');
      return;
    }
    watched.text = (content as { text: string }).text;
    const { name } = watched.file;
    if (!isReloadable(name)) {
      this.log.warn(`${path} has a new ${env}. Restart the gateway to use it.`, 'Settings');
      return;
    }
    const values = { [name]: SETTINGS[name].kind.parse(watched.text) } as Reloaded;
    this.config = this.config.with(values);
    this.config.reloads.apply(values);
    const guessable = guessableProblem(name, env, values[name]);
    if (guessable !== null) this.log.warn(guessable, 'Settings');
    this.log.log(`The new ${env} in ${path} is in use`, 'Settings');
  }

  private problemOf({ name, env, path }: SecretFile, text: string): string | null {
    const { kind } = SETTINGS[name] as Setting<unknown>;
    const value = kind.parse(text);
    if (value === undefined) return `${path} has an invalid value of ${env} (not shown). Use ${kind.allowed}.`;
    const unacceptable = secretProblem(name, env, value);
    if (unacceptable !== null && this.config.production) return unacceptable;
    const replaced = name === 'secretKeys' && !(value as string[]).some((key) => this.config.secretKeys.includes(key));
    return replaced
      ? `${path} has no key in common with the ${env} that is in use, so stored webhook secrets would be unreadable. ` +
          'Add the new key next to the old one first, or restart the gateway.'
      : null;
  }
}

/** The stamp of a missing file is an error code. */
const stateOf = (path: string): Promise<{ readonly stamp: string; readonly readable: boolean }> =>
  stat(path).then(
    (found) => ({
      stamp: fileStamp(found),
      readable: found.isFile() || found.isDirectory(),
    }),
    (error: NodeJS.ErrnoException) => ({ stamp: error.code ?? 'unknown', readable: true }),
  );

const notAFile = ({ variable, path }: SecretFile): Content => ({
  problem: `${variable} names ${JSON.stringify(path)}, which is not a file. Use the path of a file.`,
});

function read(file: SecretFile): Content {
  try {
    return { text: readSecretFile(file) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

const keyOf = (content: Content): string => ('text' in content ? `text ${content.text}` : `problem ${content.problem}`);

/**
 * Returns the text whose value is in use. The values of other settings are not the text of their files: for example, URLs are
 * normalized. Those take effect only with a restart, so a change since the start does not matter.
 */
function textInUse(file: SecretFile, config: Config): string | null {
  if (isReloadable(file.name)) return textOf(config[file.name]);
  const content = read(file);
  return 'text' in content ? content.text : null;
}

const isReloadable = (name: SettingName): name is (typeof RELOADABLE)[number] =>
  RELOADABLE.some((each) => each === name);

/** Reverses `parse` of the setting. */
const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value));
