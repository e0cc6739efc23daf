export interface StoredFile {
  readonly id: string;
  readonly purpose: string;
  readonly filename: string;
  /** Unix seconds. */
  readonly createdAt: number;
  readonly bytes: Buffer;
}

/** As the vendor writes it. */
export function fileObject({ id, bytes, createdAt, filename, purpose }: StoredFile): {
  readonly id: string;
  readonly [member: string]: unknown;
} {
  return {
    id,
    object: 'file',
    bytes: bytes.length,
    created_at: createdAt,
    filename,
    purpose,
    status: 'processed',
    status_details: null,
    expires_at: null,
  };
}
