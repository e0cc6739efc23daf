import {
  CLIENT_TOOL_TYPES,
  CONVERSATIONS,
  FALLBACK_SETTINGS,
  FREE_FORM,
  FREE_FORM_IN_CONVERSATION,
  MODEL_FIELDS,
  MODEL_NAME,
  MODELS_NAME,
  NESTING_FIELDS,
  TOOLS_IN_CONVERSATION,
} from './model-fields.data.js';

type Json = Readonly<Record<string, unknown>>;

/** Whether the texts of a field are models: `model`, `summary_model`, `fallbacks`. */
export const namesModels = (name: string): boolean => MODEL_NAME.test(name) || MODELS_NAME.test(name);

/** Returns the models in one of `MODEL_FIELDS`, including duplicates, in linear time. One list keeps its order. */
export function modelsIn(field: string, json: Json): string[] {
  const search = new ModelSearch();
  search.addField('strict', field, json[field]);
  search.searchPending();
  return search.models;
}

interface ModelsInside {
  readonly models: readonly string[];
  /** The body contains `fallbacks: "default"`, so the provider chooses models. */
  readonly providerChooses: boolean;
}

/**
 * Returns the models that a body names outside of a top-level `model` text and `MODEL_FIELDS`, in linear time.
 * @param everywhere false searches only `NESTING_FIELDS`
 */
export function modelsInside(json: Json, everywhere = true): ModelsInside {
  const search = new ModelSearch();
  for (const name of Object.keys(json)) {
    if (MODEL_FIELDS.includes(name)) continue;
    const value = json[name];
    // Stage 7 checks its type on the routes that require it.
    if (name === 'model' && (typeof value === 'string' || Array.isArray(value))) continue;
    const innermost = FORM_FIELD_IN_OBJECT.exec(name)?.[1];
    const outermost = innermost === undefined ? name : name.slice(0, name.indexOf('['));
    if (!everywhere && !NESTING_FIELDS.has(outermost) && !MODEL_FIELDS.includes(outermost)) continue;
    // `metadata[model]` is free-form too.
    if (innermost !== undefined && FREE_FORM.has(outermost)) continue;
    search.addField('settings', innermost ?? name, value);
  }
  search.searchPending();
  return search;
}

/** A form sends the field of an object as `svg[model]`. */
const FORM_FIELD_IN_OBJECT = /\[([a-z_]+)\]$/;

/**
 * The rule that decides which texts are models in one part of a body.
 * - `settings`: a field with the name of a model field (`namesModels`) names models.
 * - `strict`: the same, but no field is free-form.
 * - `conversation`: only tools name models.
 * - `models`: every text is a model.
 * - `free`: no text is a model.
 */
export type Place = 'settings' | 'strict' | 'conversation' | 'models' | 'free';

/** Returns the place inside the list or object in the field `name`, which is at `place`. */
export function placeWithin(place: Place, name: string, isList: boolean): Place {
  switch (place) {
    case 'free':
      return 'free';
    case 'conversation':
      if (FREE_FORM_IN_CONVERSATION.has(name)) return 'free';
      return TOOLS_IN_CONVERSATION.has(name) ? 'settings' : 'conversation';
    case 'models':
      if (namesModels(name)) return 'models';
      return FALLBACK_SETTINGS.has(name) ? placeWithin('settings', name, isList) : 'models';
    case 'strict':
      if (containsModels(name, isList)) return 'models';
      return name === 'tools' ? 'settings' : 'strict';
    case 'settings':
      if (FREE_FORM.has(name)) return 'free';
      if (isList && CONVERSATIONS.has(name)) return 'conversation';
      return containsModels(name, isList) ? 'models' : 'settings';
    default:
      return place satisfies never;
  }
}

/** A list in `model` contains models too. An object in `model` contains other settings. */
const containsModels = (name: string, isList: boolean): boolean =>
  MODELS_NAME.test(name) || (isList && MODEL_NAME.test(name));

/** Whether an entry of `tools` is a vendor tool, or a list of tools, which can name models. */
export const isVendorTool = (tool: unknown): boolean =>
  typeof tool === 'object' &&
  tool !== null &&
  (Array.isArray(tool) || !CLIENT_TOOL_TYPES.has((tool as { type?: unknown }).type));

/** Searches without recursion, because a body can be nested a million levels deep. */
class ModelSearch {
  readonly models: string[] = [];
  providerChooses = false;
  /** Lists and objects that have not been searched yet. */
  private readonly pending: object[] = [];
  private readonly pendingPlaces: Place[] = [];

  /** Adds the value of the field `name`, which is at `place`. */
  addField(place: Place, name: string, value: unknown): void {
    if (typeof value === 'string') return this.addText(place, name, value);
    if (typeof value !== 'object' || value === null) return;
    const isList = Array.isArray(value);
    // `model: {id}` names a model as `model` does.
    if (place === 'settings' && !isList && MODEL_NAME.test(name)) this.add('models', (value as { id?: unknown }).id);
    this.add(placeWithin(place, name, isList), isList && name === 'tools' ? value.filter(isVendorTool) : value);
  }

  searchPending(): void {
    for (let value = this.pending.pop(); value !== undefined; value = this.pending.pop()) {
      const place = this.pendingPlaces.pop()!;
      if (Array.isArray(value)) this.addEntries(place, value as readonly unknown[]);
      else this.addFields(place, value as Json);
    }
  }

  private addText(place: Place, name: string, text: string): void {
    if (place === 'conversation' || place === 'free') return;
    if (place === 'settings' && name === 'fallbacks' && text === 'default') this.providerChooses = true;
    else if (namesModels(name) || (place === 'models' && !FALLBACK_SETTINGS.has(name))) this.models.push(text);
  }

  private addEntries(place: Place, entries: readonly unknown[]): void {
    // `for…of` takes four times as long for millions of numbers.
    for (let at = 0; at < entries.length; at++) {
      const entry = entries[at];
      if (typeof entry === 'object' || typeof entry === 'string') this.add(place, entry);
    }
  }

  private addFields(place: Place, fields: Json): void {
    // `Object.keys` would create an array for each of half a million objects.
    for (const name in fields) this.addField(place, name, fields[name]);
  }

  private add(place: Place, value: unknown): void {
    if (place === 'free') return;
    if (typeof value === 'object' && value !== null) {
      this.pending.push(value);
      this.pendingPlaces.push(place);
    } else if (place === 'models' && typeof value === 'string') this.models.push(value);
  }
}
