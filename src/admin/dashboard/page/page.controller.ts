import { Controller, Get, Head, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../../../platform/routes/route-spec.js';
import { PageService } from './page.service.js';

/** The page is public, because it shows no data before sign-in (D19, D21). */
@ApiExcludeController()
@Controller('dashboard')
export class PageController {
  constructor(private readonly page: PageService) {}

  @Get()
  @Public()
  root(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.page.toFolder(request, reply);
  }

  @Head()
  @Public()
  headRoot(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.page.toFolder(request, reply);
  }

  @Get('*')
  @Public()
  read(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.page.response(request, reply);
  }

  @Head('*')
  @Public()
  headRead(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.page.response(request, reply);
  }
}
