import { Controller, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ValidRequest } from '../../request-context/context.decorator.js';
import { RequestContext } from '../../request-context/request-context.js';
import { GatewayRoute } from '../../routes/route-spec.js';
import { ForwardService } from '../forward.service.js';
import { BYTES, OperationDoc, TEXT } from '../operation.doc.js';
import { SpeechRequest } from './speech.request.dto.js';

/** By `response_format`: mp3, opus, aac, flac, wav, pcm. A provider may answer with other types. */
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
    codes: ['unsupported_value'],
  })
  @OperationDoc({
    ...{ tag: 'audio', id: 'createSpeech', summary: 'Turn text into speech', takes: SpeechRequest },
    gives: { ...AUDIO, 'text/event-stream': TEXT },
    answer: 'The audio in the requested format, as it is generated; with `stream_format: "sse"` server-sent events.',
  })
  create(
    @ValidRequest(SpeechRequest) ctx: RequestContext,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.forwarder.forward(ctx, request, reply);
  }
}
