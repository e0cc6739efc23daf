import { Param } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';

/** As in the schema of the file. Any other name gets 404, like an unknown one. */
const NAME_PATTERN = '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$';

/** The name of an upstream in a path. */
export const UpstreamName = (): ParameterDecorator => (target, method, index) => {
  Param('name')(target, method, index);
  const handler = Object.getOwnPropertyDescriptor(target, method!)!;
  ApiParam({ name: 'name', schema: { type: 'string', pattern: NAME_PATTERN } })(target, method!, handler);
};
