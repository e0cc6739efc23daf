import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { storable } from '../telemetry/storable-text.js';

/** The catalog bounds the number of models, except for names that providers invent in responses. */
const MODELS_MAX = 2_000;

export interface UnpricedModel {
  readonly model: string;
  readonly provider: string;
}

/** Announces a model without a price when this process first sees it used. */
@Injectable()
export class UnpricedModels {
  /** By upstream. */
  private readonly seen = new Map<string, LRUCache<string, true>>();
  private readonly listeners: ((found: UnpricedModel) => void)[] = [];

  /** The listener runs once for each model and provider. It must not throw. */
  subscribe(listener: (found: UnpricedModel) => void): void {
    this.listeners.push(listener);
  }

  /** @param model any text. Providers invent names in responses */
  note(model: string, provider: string): void {
    let seen = this.seen.get(provider);
    if (seen === undefined) this.seen.set(provider, (seen = new LRUCache({ max: MODELS_MAX })));
    if (seen.has(model)) return;
    seen.set(model, true);
    const found = { model: storable(model, Infinity), provider };
    for (const listener of this.listeners) listener(found);
  }
}
