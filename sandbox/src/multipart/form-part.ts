export interface FormPart {
  readonly name: string;
  /** Null for a text field. */
  readonly filename: string | null;
  readonly contentType: string;
  readonly bytes: Buffer;
}
