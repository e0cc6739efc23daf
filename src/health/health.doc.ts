import { applyDecorators, type Type } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiServiceUnavailableResponse } from '@nestjs/swagger';
import { HealthAnswer, LiveAnswer, ReadyAnswer } from './health.response.dto.js';

/** How the API description shows the health routes; `HEAD` answers like `GET`, without a body. */
export const HealthDoc = () => shown('Tell that the gateway serves', 'getHealth', HealthAnswer);
export const LiveDoc = () => shown('Tell that the process answers', 'getLiveness', LiveAnswer);
export const ReadyDoc = () =>
  applyDecorators(
    ApiOperation({ summary: 'Tell whether to send requests here', operationId: 'getReadiness' }),
    ApiOkResponse({ type: ReadyAnswer, description: 'Known keys are served.' }),
    ApiServiceUnavailableResponse({ type: ReadyAnswer, description: NOT_READY }),
  );

export const HealthHeadDoc = () => shown('Tell that the gateway serves, without a body', 'headHealth');
export const LiveHeadDoc = () => shown('Tell that the process answers, without a body', 'headLiveness');
export const ReadyHeadDoc = () =>
  applyDecorators(
    shown('Tell whether to send requests here, without a body', 'headReadiness'),
    ApiServiceUnavailableResponse({ description: NOT_READY }),
  );

const NOT_READY = 'Not yet, or not any more.';

const shown = (summary: string, operationId: string, type?: Type) =>
  applyDecorators(ApiOperation({ summary, operationId }), ApiOkResponse({ type }));
