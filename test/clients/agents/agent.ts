import type { Api } from '../provider/turn.js';

/** Folders and API access of one run of an agent. */
export interface Place {
  /** The installed package: the folder that contains its `node_modules`. */
  readonly installed: string;
  readonly home: string;
  /** The agent's working directory. */
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

interface Compaction {
  /** Input tokens that the provider reports for the long conversation. */
  readonly inputTokens: number;
  /** Continues and compacts the conversation, for agents that do not compact automatically. */
  readonly command?: (place: Place) => Command;
}

/** A coding agent, with the commands to configure and run it. */
export interface Agent {
  readonly name: string;
  /** Key in `pins.json`. */
  readonly pin: string;
  readonly api: Api;
  /** Writes configuration files into the home folder. */
  readonly configure?: (place: Place) => void;
  /** Runs before the prompt, for example to store a base URL. */
  readonly prepare?: (place: Place) => Command;
  readonly run: (place: Place, prompt: string) => Command;
  /** Returns a call of the agent's own tool that writes `text` to the file `path`. */
  readonly write: (path: string, text: string) => { readonly name: string; readonly input: unknown };
  /** Undefined if the agent's non-interactive mode never compacts a conversation. */
  readonly compaction?: Compaction;
}
