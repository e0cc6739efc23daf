export interface StoredFile {
  readonly id: string;
  readonly purpose: string;
  readonly filename: string;
  readonly createdAt: number;
  readonly bytes: Buffer;
}

export function fileObject({ id, bytes, createdAt, filename, purpose }: StoredFile): {
  readonly id: string;
  readonly [field: string]: unknown;
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
