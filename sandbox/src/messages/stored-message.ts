/** A message that was answered, as its vendor writes it. */
export interface StoredMessage {
  readonly id: string;
  readonly [member: string]: unknown;
}
