import type { Api } from '../provider/turn.js';

/** Where a run of an agent takes place, and what it talks to. */
export interface Place {
  /** The installed package: the folder that contains its `node_modules`. */
  readonly installed: string;
  readonly home: string;
  /** The folder that the agent works in. */
  readonly work: string;
  /** Base URL without `/v1`. */
  readonly origin: string;
  readonly key: string;
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Compaction {
  /** The input tokens that the provider reports for the long conversation. */
  readonly inputTokens: number;
  /** A command that continues the conversation and compacts it, for agents that do not on their own. */
  readonly command?: (place: Place) => Command;
}

/** A coding agent: how to point it at a base URL, run one prompt and let it write a file. */
export interface Agent {
  readonly name: string;
  /** Key in pins.json. */
  readonly pin: string;
  readonly api: Api;
  /** Writes configuration files into the home folder. */
  readonly configure?: (place: Place) => void;
  /** A command that has to run before the prompt, for example to store a base URL. */
  readonly prepare?: (place: Place) => Command;
  readonly run: (place: Place, prompt: string) => Command;
  /** The call of one of the agent's own tools that writes `text` to the file `path`. */
  readonly write: (path: string, text: string) => { readonly name: string; readonly input: unknown };
  /** Makes the agent compact a long conversation; undefined if its non-interactive mode never does. */
  readonly compaction?: Compaction;
}
