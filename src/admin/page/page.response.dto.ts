import { ApiProperty } from '@nestjs/swagger';

/** How many rows a list has (D17). */
export class Page {
  @ApiProperty({ type: 'integer', description: 'All that match, whatever `limit` and `offset`.', example: 1 })
  total: number;

  @ApiProperty({ description: 'Whether the next page holds anything.', example: false })
  has_more: boolean;
}

export const hasMore = (total: number, offset: number, shown: number): boolean => offset + shown < total;

/** @param shown how many rows this page holds */
export const pageOf = (total: number, offset: number, shown: number): Page => ({
  total,
  has_more: hasMore(total, offset, shown),
});
