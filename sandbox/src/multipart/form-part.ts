/** One part of a multipart form. */
export interface FormPart {
  readonly name: string;
  /** Null for a plain field. */
  readonly filename: string | null;
  readonly contentType: string;
  readonly bytes: Buffer;
}
