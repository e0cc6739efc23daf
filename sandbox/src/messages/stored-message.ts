export interface StoredMessage {
  readonly id: string;
  readonly [member: string]: unknown;
}
