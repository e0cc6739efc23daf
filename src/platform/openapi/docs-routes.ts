import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Config } from '../config/config.js';
import { packageVersion } from '../config/package-version.js';
import { declaredRoutes } from '../routes/declared-routes.js';
import { isEnabled } from '../routes/route-spec.js';
import { dropRoutes, finishDocument } from './finish-document.js';

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
  dropRoutes(
    document,
    routes.filter(({ spec }) => !isEnabled(spec, config)),
  );
  finishDocument(
    document,
    routes.filter(({ spec }) => isEnabled(spec, config)),
    config,
  );
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
