import { Query } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { metadataOf, readRules } from '../validation/input.decorators.js';
import { InputPipe } from '../validation/input.pipe.js';
import { ParsedBody, declareInput } from './context.decorator.js';

/**
 * Passes the body to a handler as a valid instance of `Dto`, and adds it to the API description.
 * @param example replaces the fields' examples in /docs. A PATCH example with every field would overwrite everything
 */
export const ValidBody =
  <T extends object>(Dto: new () => T, example?: Partial<T>): ParameterDecorator =>
  (target, method, index) => {
    ParsedBody(new InputPipe(Dto, { source: 'body' }))(target, method, index);
    declareInput('body', target, method);
    if (method === undefined) return;
    const required = metadataOf(Dto).some(({ propertyName }) => readRules(Dto, propertyName).required);
    const examples = example === undefined ? undefined : { change: { value: example } };
    ApiBody({ type: Dto, required, examples })(target, method, Object.getOwnPropertyDescriptor(target, method)!);
  };

export const ValidQuery =
  (Dto: new () => object): ParameterDecorator =>
  (target, method, index) => {
    Query(new InputPipe(Dto, { source: 'query' }))(target, method, index);
    declareInput('query', target, method);
  };
