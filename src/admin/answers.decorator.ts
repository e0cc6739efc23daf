import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';

interface Answer {
  readonly summary: string;
  /** Class of the body; left out: none (204). */
  readonly type?: Type;
  /** When the answer is 404 `not_found`; left out: never. */
  readonly notFound?: string;
}

/** The status of a handler's answer, and what the API description says of it. */
export const Answers = (status: 200 | 201 | 202 | 204, { summary, type, notFound }: Answer): MethodDecorator =>
  applyDecorators(
    HttpCode(status),
    ApiOperation({ summary }),
    ApiResponse({ status, type }),
    ...(notFound === undefined ? [] : [ApiResponse({ status: 404, description: `\`not_found\`: ${notFound}` })]),
  );
