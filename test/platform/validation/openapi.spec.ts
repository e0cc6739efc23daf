import { Body, Controller, Get, Module, Post, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { arrayOf, either, required } from '../../../src/platform/validation/compound-kinds.js';
import {
  ArrayField,
  EnumField,
  Field,
  IntegerField,
  ObjectField,
  StringField,
} from '../../../src/platform/validation/fields.js';
import { QueryFlag, QueryInteger } from '../../../src/platform/validation/query-fields.js';
import { integer, string } from '../../../src/platform/validation/scalar-kinds.js';

class Described {
  @StringField({ required: true, min: 1, max: 9, description: 'The display name.' }) name: string;
  @IntegerField({ min: 1, byDefault: 5 }) limit?: number;
  @EnumField(['a', 'b'], { deprecated: true }) letter?: string;
  @ObjectField({ depth: required(integer()) }) nested?: object;
  @ArrayField(string(), { max: 3 }) tags?: string[];
  @Field(either({ string: string(), array: arrayOf(string()) }), { required: true }) input: string | string[];
}
class Page {
  @QueryInteger({ min: 1, max: 5, byDefault: 2, description: 'Rows.' }) limit: number;
  @QueryFlag() old?: boolean;
}

@Controller('things')
class Things {
  @Post()
  create(@Body() body: Described) {
    return body;
  }
  @Get()
  list(@Query() query: Page) {
    return query;
  }
}
@Module({ controllers: [Things] })
class ThingsModule {}

describe('OpenAPI schemas of the field decorators', () => {
  let document: OpenAPIObject;
  beforeAll(async () => {
    const app = await NestFactory.create(ThingsModule, new FastifyAdapter(), { logger: false });
    document = SwaggerModule.createDocument(app, new DocumentBuilder().setOpenAPIVersion('3.1.0').build());
    await app.close();
  });

  test('the schema of a body contains the rules of its decorators', () => {
    expect(document.components?.schemas?.['Described']).toEqual({
      type: 'object',
      required: ['name', 'input'],
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 9, description: 'The display name.' },
        limit: { type: 'integer', minimum: 1, default: 5 },
        letter: { type: 'string', enum: ['a', 'b'], deprecated: true },
        nested: { type: 'object', properties: { depth: { type: 'integer' } }, required: ['depth'] },
        tags: { type: 'array', items: { type: 'string' }, maxItems: 3 },
        input: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
      },
    });
  });

  test('the query parameters contain the rules of their decorators', () => {
    expect(document.paths['/things']?.get?.parameters).toEqual([
      {
        name: 'limit',
        in: 'query',
        required: false,
        description: 'Rows.',
        schema: { type: 'integer', minimum: 1, maximum: 5, default: 2 },
      },
      { name: 'old', in: 'query', required: false, schema: { type: 'boolean' } },
    ]);
  });
});
