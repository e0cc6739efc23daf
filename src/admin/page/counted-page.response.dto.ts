import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { COUNTED_MAX } from '../../database/month-partitions.js';
import { hasMore } from './page.response.dto.js';

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

/** One that also tells whether to ask on. */
export class CountedPageWithMore extends CountedPage {
  @ApiProperty({ description: 'Whether the next page holds anything.', example: false })
  has_more: boolean;

  /** @param shown how many entries this page holds */
  static pageOf(found: number, offset: number, shown: number): CountedPageWithMore {
    return { ...this.totalOf(found), has_more: hasMore(found, offset, shown) };
  }
}
