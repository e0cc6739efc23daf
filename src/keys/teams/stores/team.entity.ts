import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

const TIMESTAMP = { type: 'timestamp with time zone', precision: 3, default: () => 'clock_timestamp()' } as const;

/** Exists as an entity only because the foreign key of `ApiKey` requires one. `TeamStore` contains the queries. */
@Entity('teams')
@Index('teams_name', { synchronize: false })
export class Team {
  @PrimaryGeneratedColumn('uuid', { primaryKeyConstraintName: 'teams_pkey' })
  id: string;

  /** Unique regardless of letter case. */
  @Column({ type: 'text' })
  name: string;

  @Column({ type: 'text', array: true, default: '{}' })
  tags: string[];

  @Column({ ...TIMESTAMP, name: 'created_at' })
  createdAt: Date;

  @Column({ ...TIMESTAMP, name: 'updated_at' })
  updatedAt: Date;
}
