import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { COUNTED_MAX } from '../database/month-partitions.js';
import { QueryInteger } from '../validation/query-fields.js';

const PageLimit = (): PropertyDecorator => QueryInteger({ min: 1, max: 500, byDefault: 100 });

/** The rows of a list that are asked for (D17). */
export class PageRequest {
  @PageLimit()
  limit: number;

  @QueryInteger({ min: 0, max: 2_147_483_647, byDefault: 0 })
  offset: number;
}

/** The same for a log, whose pages end where its total is no longer exact. */
export class LogPageRequest {
  @PageLimit()
  limit: number;

  @QueryInteger({ min: 0, max: COUNTED_MAX, byDefault: 0 })
  offset: number;
}

/** How many rows a list has (D17). */
export class Page {
  @ApiProperty({ type: 'integer', description: 'All that match, whatever `limit` and `offset`.', example: 1 })
  total: number;

  @ApiProperty({ description: 'Whether the next page holds anything.', example: false })
  has_more: boolean;
}

const hasMore = (total: number, offset: number, shown: number): boolean => offset + shown < total;

/** @param shown how many rows this page holds */
export const pageOf = (total: number, offset: number, shown: number): Page => ({
  total,
  has_more: hasMore(total, offset, shown),
});

/** How many entries of a log match. */
export class CountedPage {
  @ApiProperty({
    type: 'integer',
    maximum: COUNTED_MAX,
    description: 'All that match, whatever `limit` and `offset`; at most 100,000.',
    example: 2,
  })
  total: number;

  @ApiPropertyOptional({ enum: [true], description: 'There are more than `total`. Left out where it is exact.' })
  total_capped?: true;

  /** @param found what was counted; more than `COUNTED_MAX` stands for any number above it */
  static totalOf(found: number): CountedPage {
    return found > COUNTED_MAX ? { total: COUNTED_MAX, total_capped: true } : { total: found };
  }
}

/** A counted page that also says whether there is a next one. */
export class CountedPageWithMore extends CountedPage {
  @ApiProperty({ description: 'Whether the next page holds anything.', example: false })
  has_more: boolean;

  /** @param shown how many entries this page holds */
  static pageOf(found: number, offset: number, shown: number): CountedPageWithMore {
    return { ...this.totalOf(found), has_more: hasMore(found, offset, shown) };
  }
}
