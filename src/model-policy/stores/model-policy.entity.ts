import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('model_policies')
@Check('model_policies_model', 'char_length(model) BETWEEN 1 AND 200')
export class ModelPolicy {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'model_policies_pkey' })
  model: string;

  /** Routes a model that would otherwise not be routed (true), or blocks it (false) (D12). */
  @Column({ type: 'boolean' })
  enabled: boolean;

  @Column({ type: 'text', nullable: true })
  note: string | null;

  @Column({ name: 'updated_at', type: 'timestamp with time zone', precision: 3 })
  updatedAt: Date;

  /** The operator's ID, `admin_key` or `system`. */
  @Column({ name: 'updated_by', type: 'text' })
  updatedBy: string;
}
