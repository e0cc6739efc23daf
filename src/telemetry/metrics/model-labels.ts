/** For the life of a process: a client with a key could name every model of a large catalog. */
export const MODEL_LABELS_MAX = 200;
/** A model beyond the bound, or one that nobody knows. */
const OTHER_MODEL = 'other';
const NO_MODEL = 'none';

/** Models as labels: names that the catalog knows, and no more than 200 of them, whatever clients ask for. */
export class ModelLabels {
  private readonly known = new Set<string>();

  /**
   * @param model as the client wrote it; null: it named none
   * @param isKnown whether the model exists. It is called only for names without a label, below the bound.
   */
  labelOf(model: string | null, isKnown: (model: string) => boolean): string {
    if (model === null) return NO_MODEL;
    if (this.known.has(model)) return model;
    if (this.known.size >= MODEL_LABELS_MAX || !isKnown(model)) return OTHER_MODEL;
    this.known.add(model);
    return model;
  }
}
