import { ApiBody } from '@nestjs/swagger';
import { ParsedBody, declareInput } from '../request-context/context.decorator.js';
import { BodyPipe } from '../validation/body.pipe.js';
import { readMetadata } from '../validation/dto-metadata.js';
import type { FieldRule } from '../validation/field-rule.js';

/**
 * Hands a handler the call's body once the rules of `Dto` have passed it, and puts it into the API description.
 * @param example what /docs fills in, in place of every field's own example at once: for changes, where whoever sends it as
 *   it is would overwrite all that there is
 */
export const AdminBody =
  <T extends object>(Dto: new () => T, example?: Partial<T>): ParameterDecorator =>
  (target, method, index) => {
    ParsedBody(new BodyPipe(Dto))(target, method, index);
    declareInput('body', target, method);
    if (method === undefined) return;
    const required = readMetadata<FieldRule>(Dto).fields.some((field) => field.required);
    const examples = example === undefined ? undefined : { change: { value: example } };
    ApiBody({ type: Dto, required, examples })(target, method, Object.getOwnPropertyDescriptor(target, method)!);
  };
