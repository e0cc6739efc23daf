import { Param } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { NAME_PATTERN } from '../../config/upstreams/upstreams-schema.data.js';

/** The name of an upstream in a path. A name that does not match the pattern gets 404, like an unknown one. */
export const UpstreamName = (): ParameterDecorator => (target, method, index) => {
  Param('name')(target, method, index);
  const handler = Object.getOwnPropertyDescriptor(target, method!)!;
  ApiParam({ name: 'name', schema: { type: 'string', pattern: NAME_PATTERN } })(target, method!, handler);
};
