import type { SETTINGS, Setting } from './settings.data.js';

export const RELOADABLE = ['adminKeys', 'secretKeys', 'upstreamApiKey', 'upstreamMessagesApiKey'] as const;

type Name = (typeof RELOADABLE)[number];
type ValueOf<S> = S extends Setting<infer T> ? T : never;

export type Reloaded = { readonly [K in Name]?: ValueOf<(typeof SETTINGS)[K]> };

/** Notifies listeners of secrets that change while the process runs. Copies of a `Config` share one instance, so that all are notified. */
export class SettingReloads {
  private readonly listeners: ((values: Reloaded) => void)[] = [];

  /** Listeners live as long as the process. They run synchronously, in the order of their subscription. */
  subscribe(listener: (values: Reloaded) => void): void {
    this.listeners.push(listener);
  }

  apply(values: Reloaded): void {
    for (const listener of this.listeners) listener(values);
  }
}
