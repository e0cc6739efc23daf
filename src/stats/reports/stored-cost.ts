/** How the cost of a request was computed, as `costRecordOf` writes it. Absent fields are the usual ones. */
export interface StoredCost {
  /** The name of the upstream. */
  readonly provider: string;
  /** Identifies the price, with its version. Null without a price. */
  readonly price: string | null;
  /** Kinds of usage without a price. The amount is a lower bound if there are any. */
  readonly unpriced: readonly string[];
  readonly estimated?: boolean;
  readonly recomputed_at?: string;
  /** Tokens within the output. */
  readonly reasoning?: number;
  /** Figures of the report that were impossible and were limited. */
  readonly corrected?: readonly string[];
  readonly lines?: readonly StoredCostLine[];
  readonly tier_above?: number;
  readonly factor?: readonly [numerator: number, denominator: number];
  readonly service_tier?: string;
  readonly region?: string;
  readonly assumed?: readonly string[];
  readonly unmeasured?: readonly string[];
  readonly image_assumed?: boolean;
}

interface StoredCostLine {
  readonly kind: string;
  readonly units: number;
  /** In nano-dollars per `per` units, before the factor. */
  readonly price: number;
  readonly per: number;
  /** Absent if the model has a price of its own for `kind`. */
  readonly priced_as?: string;
  /** The model of this usage, and its price as in `StoredCost`, if the request used several models. */
  readonly model?: string;
  readonly model_price?: string;
  /** The factor of a line with a model. Other lines have the factor of the request. */
  readonly factor?: readonly [numerator: number, denominator: number];
}
