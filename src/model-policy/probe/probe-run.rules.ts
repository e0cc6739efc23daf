/**
 * Whether the verdicts of a run over all models are kept (D12): where more than half failed it tells of the upstream and not
 * of the models.
 * @param failed those that did not answer as they should, for whatever reason
 */
export const isRunKept = ({ models, failed }: { readonly models: number; readonly failed: number }): boolean =>
  models > 0 && failed * 2 <= models;
