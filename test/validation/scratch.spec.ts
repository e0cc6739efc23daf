import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Module } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { test } from '@jest/globals';
import { ChatCompletionRequest } from '../../src/proxy/chat/chat-completion.request.dto.js';
import { compileRules } from '../../src/validation/compile-rules.js';
import { dropUnionTypes } from '../../src/validation/openapi-unions.js';
import { QueryEnum, QueryFlag, QueryInteger, QueryText, QueryTimestamp } from '../../src/validation/query-fields.js';
import { Rules } from '../../src/validation/rules.decorator.js';
import { notAfter } from '../../src/validation/time-range.rules.js';

@Rules(notAfter('since', 'until'))
class Q {
  @QueryText({ max: 3 }) name?: string;
  @QueryInteger({ min: 1, max: 500, byDefault: 100 }) limit: number;
  @QueryEnum(['a', 'b'], { byDefault: 'a' }) sort: string;
  @QueryFlag() expired?: boolean;
  @QueryTimestamp() since?: number;
  @QueryTimestamp() until?: number;
}
@Controller()
class C {
  @Post() a(@Body() _b: ChatCompletionRequest) {}
  @Get() b(@Query() _q: Q) {}
}
@Module({ controllers: [C] })
class M {}
test('x', async () => {
  const app = await NestFactory.create(M, new FastifyAdapter(), { logger: false });
  const doc = SwaggerModule.createDocument(app, new DocumentBuilder().setOpenAPIVersion('3.1.0').build());
  dropUnionTypes(doc);
  console.log(JSON.stringify(doc, null, 1));
  const f = compileRules(ChatCompletionRequest, { unknownFields: 'pass', nullIsAbsent: true });
  const run = (name: string, body: object) => {
    const text = JSON.stringify(body);
    const bodies = Array.from({ length: 1000 }, () => JSON.parse(text));
    for (let k = 0; k < 3; k++) {
      const t = process.hrtime.bigint();
      for (let j = 0; j < 200; j++) for (const b of bodies) if (f(b) !== null) throw f(b);
      if (k === 2) console.log(name, Number(process.hrtime.bigint() - t) / 200e3, 'ns');
    }
  };
  const messages = [{ role: 'system', content: 'x' }, { role: 'user', content: 'y' }];
  run('small', { model: 'gpt-4o', messages });
  run('typical', { model: 'gpt-4o', messages, stream: true, stream_options: { include_usage: true }, temperature: 0.7, max_tokens: 200, user: 'u' });
  run('tools', { model: 'gpt-4o', messages, stream: true, temperature: 0.7, tools: Array.from({ length: 5 }, (_, i) => ({ type: 'function', function: { name: 'f' + i, description: 'd', parameters: { type: 'object' } } })), tool_choice: 'auto', response_format: { type: 'json_object' } });
  run('200 messages', { model: 'gpt-4o', messages: Array.from({ length: 200 }, () => ({ role: 'user', content: 'x' })) });
});
