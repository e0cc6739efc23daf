/** Who makes an admin call, as its audit rows tell it (D18). Left in the context by the admin guard. */
export interface AdminActor {
  readonly type: 'admin_key' | 'operator' | 'system';
  /** The operator's id; null for the admin key and the system. */
  readonly id: string | null;
  readonly requestId: string;
  /** Address of the caller, a trusted proxy's word heeded. */
  readonly ip: string;
}
