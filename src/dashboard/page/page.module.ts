import { Module } from '@nestjs/common';
import { PageController } from './page.controller.js';
import { PageService } from './page.service.js';

/**
 * The operator's page as the build has left it, at /dashboard/. Apart from the edge around it, because it knows nobody:
 * files and headers, no session. Without a build it answers 404 and says how to make one.
 */
@Module({ controllers: [PageController], providers: [PageService] })
export class PageModule {}
