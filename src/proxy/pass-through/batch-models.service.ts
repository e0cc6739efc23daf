import { Injectable } from '@nestjs/common';
import { invalidValue } from '../../errors/catalogue.js';
import type { GatewayError } from '../../errors/gateway-error.js';
import { ModelGate } from '../../model-policy/model-gate.service.js';
import type { KeySnapshot } from '../../request-context/key-snapshot.js';
import { isObject } from '../../validation/check.js';
import { isModelName } from '../../validation/model-name.rules.js';
import { LINE_BYTES_MAX, LineSplitter } from '../usage/line-splitter.js';

/** Reads the models of one batch file. Both methods return a refusal, or null. */
export interface BatchFileScanner {
  /** `chunk` can end anywhere. It is not kept. */
  push(chunk: Buffer): GatewayError | null;
  end(): GatewayError | null;
}

/** Judges the models of batch files by the model gate. */
@Injectable()
export class BatchModels {
  constructor(private readonly gate: ModelGate) {}

  scannerFor(key: KeySnapshot): BatchFileScanner {
    return new LineScanner(this.gate, key);
  }
}

class LineScanner implements BatchFileScanner {
  private refusal: GatewayError | null = null;
  private readonly splitter = new LineSplitter({
    line: (bytes) => (this.refusal ??= this.judge(bytes)),
    skip: (_chunk, at) => at,
  });

  constructor(
    private readonly gate: ModelGate,
    private readonly key: KeySnapshot,
  ) {}

  push(chunk: Buffer): GatewayError | null {
    this.splitter.push(chunk);
    return this.refusal;
  }

  end(): GatewayError | null {
    this.splitter.push(Buffer.from('\n'));
    return this.refusal;
  }

  private judge(line: Buffer): GatewayError | null {
    if (line.length === 0 || line.length > LINE_BYTES_MAX) return null;
    let value: unknown;
    try {
      value = JSON.parse(line.toString());
    } catch {
      return invalidValue('input_file_id', 'the ID of a file whose lines are JSON objects');
    }
    const body = isObject(value) ? value['body'] : undefined;
    if (!isObject(body) || !isModelName(body['model'])) return null;
    return this.gate.judgeModel(body['model'], '/v1/chat/completions', this.key);
  }
}
