import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { COUNTED_MAX } from '../platform/database/page.js';
import { QueryInteger } from '../platform/validation/query-fields.js';

const PageLimit = (): PropertyDecorator => QueryInteger({ min: 1, max: 500, byDefault: 100 });

export class PageRequest {
  @PageLimit()
  limit: number;

  @QueryInteger({ min: 0, max: 2_147_483_647, byDefault: 0 })
  offset: number;
}

/** A page of a log. Its total stops at `COUNTED_MAX`, so the offset does too. */
export class CappedPageRequest {
  @PageLimit()
  limit: number;

  @QueryInteger({ min: 0, max: COUNTED_MAX, byDefault: 0 })
  offset: number;
}

export class Page {
  @ApiProperty({
    type: 'integer',
    description: 'Number of matching rows, regardless of `limit` and `offset`.',
    example: 1,
  })
  total: number;

  @ApiProperty({ description: 'Whether there are rows after this page.', example: false })
  has_more: boolean;
}

const hasMore = (total: number, offset: number, shown: number): boolean => offset + shown < total;

export const pageOf = (total: number, offset: number, shown: number): Page => ({
  total,
  has_more: hasMore(total, offset, shown),
});

/** Counting stops at `COUNTED_MAX`, because an exact count of a large log would be slow. */
export class CappedTotal {
  @ApiProperty({
    type: 'integer',
    maximum: COUNTED_MAX,
    description: 'Number of matching entries, regardless of `limit` and `offset`. At most 100,000.',
    example: 2,
  })
  total: number;

  @ApiPropertyOptional({ enum: [true], description: 'More entries match than `total`. Absent if `total` is exact.' })
  total_capped?: true;

  static totalOf(found: number): CappedTotal {
    return found > COUNTED_MAX ? { total: COUNTED_MAX, total_capped: true } : { total: found };
  }
}

export class CappedPage extends CappedTotal {
  @ApiProperty({ description: 'Whether there are entries after this page.', example: false })
  has_more: boolean;

  static pageOf(found: number, offset: number, shown: number): CappedPage {
    return { ...this.totalOf(found), has_more: hasMore(found, offset, shown) };
  }
}
