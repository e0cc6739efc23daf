import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ModelCatalog } from '../../../../src/model-policy/catalog.service.js';
import { TestGateway } from '../../../support/gateway.js';
import { until } from '../../../support/until.js';
import { UpstreamsFile } from '../../../support/upstreams-file.js';
import { secretFilesIn, secretOf, variablesIn } from '../../../project/guides/guide-page.js';
import { VendorProvider, type Vendor } from '../../../project/guides/vendor-provider.js';

interface GuideUpstream {
  readonly name: string;
  readonly base_url: string;
  readonly credential?: { readonly env?: string; readonly file?: string };
}

/** A gateway with a file of a guide, of which only the origins and the folder of secrets are replaced. */
export class GuideGateway {
  private constructor(
    readonly gateway: TestGateway,
    private readonly providers: ReadonlyMap<string, VendorProvider>,
    private readonly file: UpstreamsFile,
    private readonly secrets: string,
  ) {}

  /** @param vendors the providers of the file's upstreams, by their names */
  static async start(
    text: string,
    vendors: Readonly<Record<string, Vendor>>,
    env: Record<string, string> = {},
  ): Promise<GuideGateway> {
    const { upstreams } = parse(text) as { upstreams: GuideUpstream[] };
    const providers = new Map<string, VendorProvider>();
    for (const { name, credential } of upstreams) {
      const source = credential?.env ?? credential?.file;
      const vendor = vendors[name];
      if (vendor === undefined) throw new Error(`No provider for the upstream ${name}`);
      providers.set(name, await VendorProvider.start(vendor, source === undefined ? null : secretOf(source)));
    }
    const secrets = mkdtempSync(join(tmpdir(), 'guide-secrets-'));
    const file = new UpstreamsFile(withSecretFiles(withOrigins(text, [...providers.values()]), secrets));
    const variables = Object.fromEntries(variablesIn(text).map((name) => [name, secretOf(name)]));
    const gateway = await TestGateway.start(
      { GW_PROFILE: 'current', ...file.env, ...variables, ...env },
      { upstream: [...providers.values()][0]!.server },
    );
    await until(() => gateway.app.get(ModelCatalog).settled);
    return new GuideGateway(gateway, providers, file, secrets);
  }

  provider(name: string): VendorProvider {
    const provider = this.providers.get(name);
    if (provider === undefined) throw new Error(`The file has no upstream ${name}`);
    return provider;
  }

  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.providers].map(([name, { calls }]) => [name, calls.length]));
  }

  /** The result of `npm run cli -- upstream test NAME`. */
  async test(name: string): Promise<{ ok: boolean; status: number | null; models: number | null; message: string }> {
    const response = await this.gateway.admin('POST', `/admin/upstreams/${name}/test`);
    if (response.status !== 200) throw new Error(response.text);
    return response.body as Awaited<ReturnType<GuideGateway['test']>>;
  }

  async stop(): Promise<void> {
    await this.gateway.stop();
    await Promise.all([...this.providers.values()].map(({ server }) => server.stop()));
    this.file[Symbol.dispose]();
    rmSync(this.secrets, { recursive: true });
  }
}

/** Two upstreams can have the same origin in a guide, so the places count. */
function withOrigins(text: string, providers: readonly VendorProvider[]): string {
  let at = 0;
  const replaced = text.replaceAll(/(?<=base_url: )https?:\/\/[^/\s]+/g, () => providers[at++]!.origin);
  if (at !== providers.length) throw new Error(`${at} base URLs were replaced instead of ${providers.length}`);
  return replaced;
}

function withSecretFiles(text: string, folder: string): string {
  return secretFilesIn(text).reduce((changed, path, at) => {
    const stored = join(folder, String(at));
    writeFileSync(stored, `${secretOf(path)}\n`);
    return changed.replace(path, stored);
  }, text);
}
