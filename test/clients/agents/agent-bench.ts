import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '../../support/until.js';
import { ADMIN_KEY } from '../../support/gateway.js';
import { GatewayProcess } from '../../support/gateway-process.js';
import { createScratchDatabase } from '../../support/scratch-database.js';
import { ModelProvider } from '../provider/model-provider.js';
import type { Reply, Turn } from '../provider/turn.js';
import type { Agent, Command, Place } from './agent.js';
import { runAgent, type AgentEnd } from './agent-process.js';

export interface Totals {
  readonly requests: number;
  readonly errors: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

export interface AgentRun extends AgentEnd {
  readonly turns: readonly Turn[];
  readonly statuses: readonly number[];
  /** Time of each request in ms, relative to the first one. */
  readonly atMs: readonly number[];
  readonly file: string | undefined;
  /** Usage that the gateway recorded for the API key. Undefined without the gateway. */
  readonly recorded: Totals | undefined;
}

export interface Task {
  /** @param file absolute path of the file that the prompt names */
  readonly prompt: (file: string) => string;
  readonly script: (turn: Turn, file: string) => Reply;
  /** Runs the agent directly against the provider, for comparison. */
  readonly direct?: boolean;
  readonly then?: (place: Place) => Command;
}

/** Time limit of one command in ms. After it, the agent is killed. */
const AGENT_MS_MAX = 90_000;
const INSTALLED = join(import.meta.dirname, '../../../.cache/clients');

/** A gateway process in front of a scripted provider, and the agents that use it. */
export class AgentBench {
  private constructor(
    readonly provider: ModelProvider,
    readonly gateway: GatewayProcess,
    private readonly drop: () => Promise<void>,
  ) {}

  static async start(): Promise<AgentBench> {
    const provider = await ModelProvider.start();
    const database = await createScratchDatabase();
    const gateway = await GatewayProcess.start({
      DATABASE_URL: database.url,
      GW_PROFILE: 'current',
      GW_UPSTREAM_BASE_URL: provider.url,
      GW_LOG_SAMPLE_RATE: '1',
    });
    return new AgentBench(provider, gateway, () => database.drop());
  }

  async stop(): Promise<void> {
    await GatewayProcess.endAll();
    await this.provider.stop();
    await this.drop();
  }

  async run(agent: Agent, { prompt, script, direct = false, then }: Task): Promise<AgentRun> {
    const key = await this.gateway.createKey();
    const place = this.place(agent, direct ? { origin: this.provider.url.slice(0, -3), key: 'sk-direct' } : key);
    const file = join(place.work, 'answer.txt');
    this.provider.reset();
    this.provider.script = (turn) => script(turn, file);
    try {
      const end = await this.finish(agent, place, [agent.run(place, prompt(file)), then?.(place)]);
      const responses = this.provider.exchanges.filter(({ turn }) => turn !== undefined);
      return {
        ...end,
        turns: this.provider.turns,
        statuses: responses.map(({ status }) => status),
        atMs: responses.map(({ atMs }) => Math.round(atMs - responses[0]!.atMs)),
        file: existsSync(file) ? readFileSync(file, 'utf8') : undefined,
        recorded: direct ? undefined : await this.recorded(key.id),
      };
    } finally {
      await Promise.all([place.home, place.work].map((folder) => rm(folder, { recursive: true, force: true })));
    }
  }

  private async finish(agent: Agent, place: Place, commands: readonly (Command | undefined)[]): Promise<AgentEnd> {
    agent.configure?.(place);
    let end: AgentEnd = { code: 0, output: '', timedOut: false, tookMs: 0 };
    for (const command of [agent.prepare?.(place), ...commands]) {
      if (command === undefined || end.code !== 0) continue;
      const next = await runAgent(command, place, AGENT_MS_MAX);
      end = { ...next, output: end.output + next.output };
    }
    return end;
  }

  private place({ pin }: Agent, { origin = this.gateway.url, key }: { origin?: string; key: string }): Place {
    const folder = (name: string) => mkdtempSync(join(tmpdir(), `agent-${name}-`));
    return { installed: join(INSTALLED, pin), home: folder('home'), work: folder('work'), origin, key };
  }

  /** Waits until the recorded usage equals the reported usage, at most 5 s, and returns the recorded usage. */
  private async recorded(keyId: string): Promise<Totals> {
    const read = async () => {
      const { body } = await this.gateway.call<{ totals: Totals }>('GET', `/admin/usage?key_id=${keyId}`, {
        key: ADMIN_KEY,
      });
      return body.totals;
    };
    const { input, output } = this.provider.reported;
    let totals = await read();
    const agrees = async () => {
      totals = await read();
      const isWhole = totals.requests >= this.provider.turns.length;
      return isWhole && totals.input_tokens === input && totals.output_tokens === output;
    };
    await until(agrees, 5_000).catch(() => undefined);
    return totals;
  }
}
