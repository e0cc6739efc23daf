import { unsupportedValue } from '../../errors/catalogue.js';
import type { Rule } from '../../validation/rules.decorator.js';

/** The model that makes one image at a time, also under its maker's name (D11). */
const ONE_IMAGE = /(?:^|\/)dall-e-3$/;

/** `n` of a form is text. */
interface Images {
  readonly model?: string;
  readonly n?: number | string | null;
}

/** It takes no `n` above 1. `unsupported_value`. */
export const oneImageModels: Rule<Images> = ({ model, n }) =>
  ONE_IMAGE.test(model ?? '') && Number(n ?? 1) > 1 ? unsupportedValue('n', '1') : null;
