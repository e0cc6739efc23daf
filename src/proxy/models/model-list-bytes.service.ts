import { Injectable } from '@nestjs/common';
import { type ModelEntry, ModelList } from '../../model-policy/model-list.service.js';
import type { KeySnapshot } from '../../request-context/key-snapshot.js';
import type { ListModelsRequest } from './list-models.request.dto.js';
import { anthropicModel, anthropicPage } from './anthropic-models.js';
import { selectModels } from './model-selection.rules.js';

/** The whole list, which SDKs request, and each single entry are serialized once per change. */
@Injectable()
export class ModelListBytes {
  private whole: { readonly entries: readonly ModelEntry[]; readonly bytes: Buffer } | null = null;
  private texts = new WeakMap<ModelEntry, string>();

  constructor(private readonly models: ModelList) {}

  async of(key: Pick<KeySnapshot, 'allowedModels'>, query: ListModelsRequest, anthropic: boolean): Promise<Buffer> {
    const entries = await this.models.entries(key);
    const { entries: selected, hasMore } = selectModels(entries, query);
    if (anthropic) {
      const data = selected.map((entry) => anthropicModel(entry, this.models.rowOf(entry.id)));
      return Buffer.from(JSON.stringify(anthropicPage(data, hasMore)));
    }
    // Only keys without allowed models get the same array until the list changes.
    if (key.allowedModels !== null || selected !== entries) return this.write(selected);
    if (this.whole?.entries !== entries) this.whole = { entries, bytes: this.write(entries) };
    return this.whole.bytes;
  }

  private write(entries: readonly ModelEntry[]): Buffer {
    return Buffer.from(`{"object":"list","data":[${entries.map((entry) => this.textOf(entry)).join(',')}]}`);
  }

  private textOf(entry: ModelEntry): string {
    let text = this.texts.get(entry);
    if (text === undefined) this.texts.set(entry, (text = JSON.stringify(entry)));
    return text;
  }
}
