import { ModelCatalog } from '../../src/model-policy/catalog.service.js';
import { startUpstream, type ScriptedUpstream } from '../support/scripted-upstream.js';
import { until } from '../support/until.js';
import { listsOnly, UpstreamsFile } from '../support/upstreams-file.js';
import { startDashboard, type Dashboard } from './browser.js';

/** A dashboard of a gateway with the upstreams `openai` and `azure`, in this order. Only `azure` has an alias. */
export class TwoUpstreams {
  private constructor(
    readonly dashboard: Dashboard,
    readonly openai: ScriptedUpstream,
    readonly azure: ScriptedUpstream,
    private readonly file: UpstreamsFile,
  ) {}

  /** @param env settings of the gateway by variable name */
  static async start(env: Record<string, string> = {}): Promise<TwoUpstreams> {
    const [openai, azure] = await Promise.all([startUpstream(), startUpstream()]);
    listModels(openai, azure);
    const file = new UpstreamsFile({
      upstreams: [
        { name: 'openai', base_url: openai.url, apis: ['openai', 'anthropic'] },
        {
          name: 'azure',
          base_url: azure.url,
          aliases: { fast: 'gpt-4o-mini' },
          region: 'swedencentral',
          tags: ['production', 'eu'],
        },
      ],
    });
    const dashboard = await startDashboard({ ...file.env, ...env });
    await until(() => dashboard.gateway.app.get(ModelCatalog).complete);
    return new TwoUpstreams(dashboard, openai, azure, file);
  }

  /** Ends drains, and restores the providers' responses. */
  async reset(): Promise<void> {
    for (const provider of [this.openai, this.azure]) provider.reset();
    listModels(this.openai, this.azure);
    for (const name of ['openai', 'azure'])
      await this.dashboard.gateway.admin('POST', `/admin/upstreams/${name}/resume`);
  }

  async stop(): Promise<void> {
    await this.dashboard.stop();
    await Promise.all([this.openai.stop(), this.azure.stop()]);
    this.file[Symbol.dispose]();
  }
}

function listModels(openai: ScriptedUpstream, azure: ScriptedUpstream): void {
  listsOnly(openai, 'gpt-4o-mini', 'o1');
  listsOnly(azure, 'gpt-4o-mini');
}
