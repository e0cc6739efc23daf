export interface FormPart {
  readonly name: string;
  /** null for a text field. */
  readonly filename: string | null;
  readonly contentType: string;
  readonly bytes: Buffer;
}
