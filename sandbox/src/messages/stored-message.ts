export interface StoredMessage {
  readonly id: string;
  readonly [field: string]: unknown;
}
