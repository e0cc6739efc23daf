import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Config } from '../config/config.js';
import { packageVersion } from '../config/package-version.js';
import { declaredRoutes, type DeclaredRoute } from '../routes/declared-routes.js';
import { isEnabled } from '../routes/route-spec.js';
import { dropRoutes, finishDocument } from './finish-document.js';
import { fieldsOf } from '../request-context/context.decorator.js';
import { readMetadata, type FieldRule } from '../validation/field-rule.js';

const KEY = { type: 'http', scheme: 'bearer', bearerFormat: 'opaque' } as const;

/**
 * Serves the OpenAPI document at /openapi.json and Swagger UI at /docs. The document is built on the first request, because
 * that takes a tenth of the startup time.
 */
export function serveApiDescription(app: NestFastifyApplication, config: Config): void {
  let made: OpenAPIObject | undefined;
  let json: Buffer | undefined;
  const description = () => (made ??= describeApi(app, config));
  const fastify = app.getHttpAdapter().getInstance();
  fastify.get('/openapi.json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').send((json ??= Buffer.from(JSON.stringify(description())))),
  );
  if (config.docs) SwaggerModule.setup('docs', app, description, { raw: false, customSiteTitle: 'Inference gateway' });
}

function describeApi(app: NestFastifyApplication, config: Config): OpenAPIObject {
  const made = SwaggerModule.createDocument(app, documentBase(), { autoTagControllers: false, operationIdFactory });
  // Nest puts the same object into several operations. A copy lets each be changed separately.
  const document = JSON.parse(JSON.stringify(made)) as OpenAPIObject;
  Object.assign(document.info, { license: { name: 'MIT', identifier: 'MIT' } });
  const routes = declaredRoutes(app);
  const [enabled, disabled] = [true, false].map((on) => routes.filter(({ spec }) => isEnabled(spec, config) === on));
  dropRoutes(document, disabled!);
  finishDocument(document, enabled!, config);
  if (config.validation === 'provider') leaveFieldsToProvider(document, enabled!);
  return document;
}

/** `ApiKeysController.suspend` → `apiKeysSuspend` */
function operationIdFactory(controller: string, method: string): string {
  const words = controller.replace(/Controller$/, '');
  return words.charAt(0).toLowerCase() + words.slice(1) + method.charAt(0).toUpperCase() + method.slice(1);
}

function documentBase() {
  return new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Inference gateway')
    .setVersion(packageVersion())
    .setDescription(
      'An API compatible with OpenAI and Anthropic, in front of AI provider accounts. ' +
        'All API keys share these accounts, so every key can see all files, assistants, threads and vector stores in them.',
    )
    .addServer('/')
    .addBearerAuth({ ...KEY, description: 'An API key: `sk-gw-…`' }, 'api_key')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'x-api-key', description: 'Only on `/v1/messages`.' }, 'x_api_key')
    .addBearerAuth({ ...KEY, description: 'The admin key: `admin_gw_…`' }, 'admin_key')
    .addCookieAuth(
      'gw_admin_session',
      {
        type: 'apiKey',
        in: 'cookie',
        description:
          'The session cookie that `POST /dashboard/session` sets. Over HTTPS its name is `__Host-gw_admin_session`.',
      },
      'session_cookie',
    )
    .build();
}

type Schema = { properties?: Record<string, { description?: string }>; required?: string[]; anyOf?: unknown };

/**
 * Adapts the schemas of request bodies to `GW_VALIDATION=provider`. Only fields that the gateway itself reads keep their
 * schema and can be required. Changes `document` in place.
 */
function leaveFieldsToProvider(document: OpenAPIObject, routes: readonly DeclaredRoute[]): void {
  for (const { handle } of routes) {
    const dto = fieldsOf(handle);
    const schema = dto === undefined ? undefined : (document.components?.schemas?.[dto.name] as Schema | undefined);
    if (dto !== undefined && schema !== undefined) keepOnlyGatewayFields(schema, readMetadata(dto).fields);
  }
}

function keepOnlyGatewayFields(schema: Schema, fields: readonly FieldRule[]): void {
  const { properties = {} } = schema;
  for (const { name, readByGateway } of fields) {
    const property = properties[name];
    if (property === undefined || readByGateway !== undefined) continue;
    properties[name] = property.description === undefined ? {} : { description: property.description };
  }
  const required = fields.filter(({ readByGateway }) => readByGateway === 'required').map(({ name }) => name);
  delete schema.required;
  delete schema.anyOf;
  if (required.length > 0) schema.required = required;
}
