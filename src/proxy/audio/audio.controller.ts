import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ValidRequest } from '../../platform/request-context/context.decorator.js';
import { RequestContext } from '../../platform/request-context/request-context.js';
import { GatewayRoute } from '../../platform/routes/route-spec.js';
import { ForwardService } from '../forward.service.js';
import { BYTES, OperationDoc, TEXT, FORM_TYPE } from '../operation.doc.js';
import { SpeechRequest, TranscriptionRequest } from './audio.dto.js';

const AUDIO = Object.fromEntries(
  ['audio/mpeg', 'audio/ogg', 'audio/opus', 'audio/aac', 'audio/flac', 'audio/wav', 'audio/pcm'].map((type) => [
    type,
    BYTES,
  ]),
);

@Controller('v1/audio/speech')
export class SpeechController {
  constructor(private readonly forwarder: ForwardService) {}

  @Post()
  @GatewayRoute({
    endpoint: '/v1/audio/speech',
    body: 'json',
    model: 'gated',
    usage: 'media',
  })
  @OperationDoc({
    tag: 'audio',
    id: 'createSpeech',
    summary: 'Convert text to speech',
    takes: SpeechRequest,
    gives: { ...AUDIO, 'text/event-stream': TEXT },
    response: 'The audio in the requested format. `stream_format: "sse"` returns server-sent events.',
  })
  create(
    @ValidRequest(SpeechRequest) ctx: RequestContext,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.forwarder.forward(ctx, request, reply);
  }
}

/** A file of 25 MiB, and the rest of its form (D7). */
const FORM_BYTES_MAX = 26 * 1024 * 1024;

@Controller('v1/audio/transcriptions')
export class TranscriptionsController {
  constructor(private readonly forwarder: ForwardService) {}

  @Post()
  @GatewayRoute({
    endpoint: '/v1/audio/transcriptions',
    body: 'multipart',
    bodyBytesMax: FORM_BYTES_MAX,
    model: 'gated',
    usage: 'media',
  })
  @OperationDoc({
    tag: 'audio',
    id: 'createTranscription',
    summary: 'Transcribe speech',
    takes: TranscriptionRequest,
    types: [FORM_TYPE],
    gives: {
      'application/json': { type: 'object', properties: { text: TEXT } },
      'text/plain': TEXT,
      'text/event-stream': TEXT,
    },
    response: 'The text in the requested format, or server-sent events if the model streams it.',
  })
  create(
    @ValidRequest(TranscriptionRequest) ctx: RequestContext,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.forwarder.forward(ctx, request, reply);
  }
}
