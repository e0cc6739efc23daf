/** A part of a LiteLLM installation that was not imported as it is, with the reason. Texts never contain secrets. */
export interface Finding {
  /** Where the part is, such as `litellm_settings.cache` or `key "checkout"`. */
  readonly place: string;
  /** `changed`: imported with another meaning. `skipped`: not imported. `action`: the operator has to do something. */
  readonly effect: 'changed' | 'skipped' | 'action';
  readonly reason: string;
}

export class Findings {
  readonly all: Finding[] = [];

  changed(place: string, reason: string): void {
    this.all.push({ place, effect: 'changed', reason });
  }

  skipped(place: string, reason: string): void {
    this.all.push({ place, effect: 'skipped', reason });
  }

  action(place: string, reason: string): void {
    this.all.push({ place, effect: 'action', reason });
  }
}
