import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** The catalog bounds the number of models, except for names that providers invent in responses. */
const MODELS_MAX = 2_000;

export interface UnpricedModel {
  readonly model: string;
  readonly provider: string;
}

/** Announces a model without a price when this process first sees it used. */
@Injectable()
export class UnpricedModels {
  private readonly seen = new LRUCache<string, true>({ max: MODELS_MAX });
  private readonly listeners: ((found: UnpricedModel) => void)[] = [];

  /** The listener runs once for each model and provider. It must not throw. */
  subscribe(listener: (found: UnpricedModel) => void): void {
    this.listeners.push(listener);
  }

  note(model: string, provider: string): void {
    const name = `${provider} ${model}`;
    if (this.seen.has(name)) return;
    this.seen.set(name, true);
    for (const listener of this.listeners) listener({ model, provider });
  }
}
