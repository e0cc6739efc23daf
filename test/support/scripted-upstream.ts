import type { Socket } from 'node:net';
import { RawProvider } from '../../sandbox/src/scripted/raw-provider.js';
import { ScriptedProvider } from '../../sandbox/src/scripted/scripted-provider.js';
import { DEFAULT_SCRIPTS } from './scripted-upstream-responses.js';

export type { ScriptedProvider as ScriptedUpstream } from '../../sandbox/src/scripted/scripted-provider.js';

/** Starts a provider that serves chat completions and the model list, unless a test replaces their scripts. */
export const startUpstream = (port = 0): Promise<ScriptedProvider> =>
  ScriptedProvider.start({ port, routes: DEFAULT_SCRIPTS });

/** A TCP server that sends what `handler` writes, for responses that no HTTP server would send. */
export const rawUpstream = (handler: (socket: Socket) => void): Promise<RawProvider> =>
  RawProvider.start({ onConnection: handler });
