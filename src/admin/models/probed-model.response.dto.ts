import { ApiProperty } from '@nestjs/swagger';
import type { ProbedModel } from '../../model-policy/model-probes.service.js';
import { AVAILABILITIES, type Availability } from '../../model-policy/registry/model-facts.js';

export class ProbedModelResponse {
  @ApiProperty({ example: 'gpt-4o-mini' })
  model: string;

  @ApiProperty({ enum: AVAILABILITIES, example: 'callable', description: '`gw_availability` from now on.' })
  availability: Availability;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    example: '2026-07-14T09:30:42.118Z',
    description: 'When the verdict was found that holds now. Older than the call where this probe told nothing.',
  })
  probed_at: Date | null;

  static of({ model, availability, probedAt }: ProbedModel): ProbedModelResponse {
    return { model, availability, probed_at: probedAt };
  }
}
