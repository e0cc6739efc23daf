import { expect } from '@jest/globals';
import { DataSource } from 'typeorm';
import { FAILURE_REASONS, type FailureReason } from '../../../src/upstream/upstream-failure.js';
import { StatsWriter } from '../../../src/stats/stats-writer.service.js';
import { UpstreamClient } from '../../../src/upstream/upstream-client.js';
import { until } from '../../support/until.js';
import { CHAT, errorIn, snapshot } from '../../support/responses.js';
import { chatRequest, Wire, type WireResponse } from '../../support/wire.js';
import { TestGateway, type Key } from '../../support/gateway.js';
import { FORMS } from '../../faults/faulty-upstream.js';
import type { Outcome } from '../../faults/upstream-faults.data.js';

export type Form = keyof typeof FORMS;

/** Longer than the socket buffers. Sent if the upstream responds before it has read the request. */
const LONG_TEXT = 'x'.repeat(8 * 1024 * 1024);

const chatBody = (form: Form, long = false): string =>
  JSON.stringify({
    ...(form === 'streamed' && { stream: true }),
    ...CHAT,
    ...(long && { messages: [{ role: 'user', content: LONG_TEXT }] }),
  });

const failures = (gateway: TestGateway): Record<FailureReason, number> => ({
  ...gateway.app.get(UpstreamClient).byName('default')!.failures,
});

/** Sends one request that meets a fault, and checks its response, counts and records. */
export class MatrixCell {
  private readonly before: Record<FailureReason, number>;

  private constructor(
    private readonly gateway: TestGateway,
    private readonly key: Key,
    private readonly wire: Wire,
  ) {
    this.before = failures(gateway);
  }

  static async open(gateway: TestGateway): Promise<MatrixCell> {
    const [key, wire] = [await gateway.createKey({ monthly_limit: 1000 }), await Wire.open(gateway.port)];
    return new MatrixCell(gateway, key, wire);
  }

  close(): void {
    this.wire.close();
  }

  /** Sends the request and checks the response. Returns the request ID. */
  async expectResponse(form: Form, outcome: Outcome, long = false): Promise<string> {
    this.wire.write(chatRequest(this.key.key, chatBody(form, long)));
    switch (outcome.kind) {
      case 'served':
        return this.expectServed(await this.wire.response(), form);
      case 'refused':
        return this.expectRefused(await this.wire.response(), outcome);
      case 'cut':
        return this.expectCut(form);
      default:
        return outcome satisfies never;
    }
  }

  /** Expects one counted request, one row and one request in usage with the status, code and tokens, and the right failures. */
  async expectRecorded(requestId: string, form: Form, outcome: Outcome): Promise<void> {
    const { gateway, key } = this;
    const { today, this_month: month } = await snapshot(gateway, key);
    expect([today.used, month.requests.used]).toEqual([1, 1]);
    const row = await this.row(requestId);
    expect(row).toMatchObject({
      key_id: key.id,
      endpoint: '/v1/chat/completions',
      model: 'gpt-4o-mini',
      stream: form === 'streamed',
      status: outcome.kind === 'refused' ? 502 : 200,
      error_code: outcome.kind === 'served' ? null : 'upstream_error',
    });
    expect(row.usage_source).toMatch(SOURCES[outcome.kind]);
    if (row.usage_source === 'reported') expect([row.input_tokens, row.output_tokens]).toEqual([9, 3]);
    if (outcome.kind !== 'refused') expect(row.input_tokens).toBeGreaterThan(0);
    const usagePath = `/admin/usage?key_id=${key.id}`;
    const totals = async () => (await gateway.admin<{ totals: { requests: number } }>('GET', usagePath)).body.totals;
    // Each table is written separately, so the row can appear before the usage.
    await until(async () => (await totals()).requests > 0);
    expect(await totals()).toMatchObject({
      requests: 1,
      errors: outcome.kind === 'refused' ? 1 : 0,
      input_tokens: row.input_tokens,
      output_tokens: row.output_tokens,
    });
    this.expectFailures(outcome);
  }

  /** Expects that the next request is served, on the same connection unless it was closed, and that all permits are free. */
  async expectRecovered(form: Form, outcome: Outcome): Promise<void> {
    const { permits, breaker } = this.gateway.app.get(UpstreamClient).all[0]!;
    await until(() => permits.free === CONNECTIONS && permits.waiting === 0);
    expect(breaker.open).toBe(false);
    const wire = outcome.kind === 'cut' ? await Wire.open(this.gateway.port) : this.wire;
    wire.write(chatRequest(this.key.key, chatBody(form)));
    this.expectServed(await wire.response(), form);
    wire.close();
    expect((await snapshot(this.gateway, this.key)).today.used).toBe(2);
  }

  private expectServed(response: WireResponse, form: Form): string {
    expect([response.status, response.text]).toEqual([200, FORMS[form].body.toString()]);
    expect(response.headers).toMatchObject({ ...OWN_HEADERS, 'content-type': FORMS[form].type });
    for (const name of ['content-encoding', 'trailer', 'x-gw-upstream-status', 'x-gw-upstream-request-id'])
      expect(response.headers).not.toHaveProperty(name);
    return response.headers['x-request-id']!;
  }

  private expectRefused(response: WireResponse, { upstreamStatus, shown }: Outcome & { kind: 'refused' }): string {
    const error = errorIn(response);
    expect([response.status, error.code, error.type, error.param]).toEqual([502, 'upstream_error', 'api_error', null]);
    expect(response.headers).toMatchObject({ ...OWN_HEADERS, 'x-request-id': error.request_id });
    expect(response.headers['x-gw-upstream-status']).toBe(
      upstreamStatus === undefined ? undefined : `${upstreamStatus}`,
    );
    expect(response.headers).not.toHaveProperty('location');
    expect(error.message).not.toMatch(/127\.0\.0\.1|localhost|ECONN|ENOTFOUND|UND_ERR|invalid/);
    if (shown !== undefined) expect(error.message).toBe(shown);
    return error.request_id;
  }

  private async expectCut(form: Form): Promise<string> {
    await expect(this.wire.response()).rejects.toThrow('the connection ended');
    const seen = this.wire.unread;
    expect(seen).toMatch(/^HTTP\/1\.1 200 /);
    expect(seen).not.toMatch(/\r\n0\r\n\r\n$/);
    // The received bytes are the beginning of the response, or nothing.
    const body = seen.slice(seen.indexOf('\r\n\r\n') + 4).replace(/(?:^|\r\n)[0-9a-f]+\r\n|\r\n$/g, '');
    expect(FORMS[form].body.toString().startsWith(body)).toBe(true);
    return /^x-request-id: (\S+)/im.exec(seen)![1]!;
  }

  private async row(requestId: string): Promise<RecordedRow> {
    let rows: RecordedRow[] = [];
    await until(async () => {
      await this.gateway.app.get(StatsWriter).flush();
      rows = await this.gateway.app.get(DataSource).query('select * from request_logs where id = $1', [requestId]);
      return rows.length > 0;
    }, 20_000);
    expect(rows).toHaveLength(1);
    return rows[0]!;
  }

  private expectFailures(outcome: Outcome): void {
    const now = failures(this.gateway);
    const added = FAILURE_REASONS.flatMap((reason) =>
      new Array<FailureReason>(now[reason] - this.before[reason]).fill(reason),
    );
    if (outcome.kind === 'refused' && outcome.or !== undefined && added[0] === outcome.or) {
      expect(added).toEqual([outcome.or]);
    } else {
      const expected = outcome.kind === 'served' ? [] : [outcome.reason].flat();
      expect(added).toEqual(FAILURE_REASONS.filter((reason) => expected.includes(reason)));
    }
  }
}

/** GW_UPSTREAM_CONNECTIONS of the gateway in the matrix. */
export const CONNECTIONS = 4;

const DIGITS = expect.stringMatching(/^\d+$/) as unknown;
const OWN_HEADERS = {
  'x-gw-key-name': 'test',
  'x-gw-latency': DIGITS,
  'x-gw-model': 'gpt-4o-mini',
  'x-ratelimit-limit-requests': '1000000',
  'x-ratelimit-remaining-day': DIGITS,
  'x-ratelimit-remaining-month': DIGITS,
};

/** `usage_source` by outcome. A stream that was interrupted after its report is `reported`. */
const SOURCES = { served: /^reported$/, refused: /^none$/, cut: /^(reported|estimated|partial)$/ };

interface RecordedRow {
  readonly usage_source: string;
  readonly input_tokens: number;
  readonly output_tokens: number;
}
