import { ApiProperty } from '@nestjs/swagger';
import type { ListedRecord, UnstoredRecordPage } from '../../stats/reports/unstored-records.read-model.js';
import { RECORD_SOURCES, type RecordSource } from '../../stats/unstored-record.js';
import { Page, PageRequest, pageOf } from '../page.dto.js';
import { TIME } from '../fields.data.js';

export class ListUnstoredRecordsRequest extends PageRequest {}

class UnstoredRecordResponse {
  @ApiProperty({ example: '17' })
  id: string;

  @ApiProperty(TIME)
  at: Date;

  @ApiProperty({ enum: RECORD_SOURCES, description: 'The table of the record. `usage` includes costs.' })
  source: RecordSource;

  @ApiProperty({ format: 'uuid', example: '6f0c2f5e-3d1b-4a47-9d6b-0f5f4a9c1e21' })
  key_id: string;

  @ApiProperty({ example: 'value "9223372036854775808" is out of range for type bigint' })
  reason: string;

  @ApiProperty({
    example: '{"usage":{"requests":1},"costs":[],"unpriced":[]}',
    description: 'The figures as JSON, at most 100,000 characters of it.',
  })
  record: string;

  static of({ id, at, source, keyId, reason, record }: ListedRecord): UnstoredRecordResponse {
    return { id, at, source, key_id: keyId, reason, record };
  }
}

export class UnstoredRecordListResponse extends Page {
  @ApiProperty({ type: [UnstoredRecordResponse] })
  records: UnstoredRecordResponse[];

  static of({ total, records }: UnstoredRecordPage, offset: number): UnstoredRecordListResponse {
    return { ...pageOf(total, offset, records.length), records: records.map((row) => UnstoredRecordResponse.of(row)) };
  }
}
