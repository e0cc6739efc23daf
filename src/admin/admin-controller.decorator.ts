import { applyDecorators, Controller, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiResponse, ApiTags } from '@nestjs/swagger';
import { UnknownInputGuard } from './unknown-input.guard.js';

/** A controller under /admin: what all of them refuse, and how the API description shows them. */
export const AdminController = (path: string): ClassDecorator =>
  applyDecorators(
    Controller(`admin/${path}`),
    UseGuards(UnknownInputGuard),
    ApiTags(`admin/${path}`),
    ApiBearerAuth('admin_key'),
    ApiResponse({
      status: 400,
      description: '`validation_error` names the field in `param`; `invalid_json`, `invalid_type`',
    }),
    ApiResponse({ status: 401, description: '`missing_api_key`, `invalid_api_key`' }),
  );
