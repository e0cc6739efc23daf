/** Decodes the OTLP messages that the tests check, into the form of OTLP's JSON. */
export function decoded(signal: 'traces' | 'metrics', bytes: Buffer): unknown {
  return messageOf(
    signal === 'traces' ? { 1: many('resourceSpans', SPANS) } : { 1: many('resourceMetrics', METRICS) },
    bytes,
  );
}

type Read = (value: Buffer | bigint) => unknown;

interface Field {
  readonly name: string;
  readonly read: Read;
  readonly repeated: boolean;
}

type Schema = Readonly<Record<number, Field>>;

const one = (name: string, read: Read): Field => ({ name, read, repeated: false });
const many = (name: string, schema: Schema): Field => ({ name, read: nested(schema), repeated: true });
const nested =
  (schema: Schema): Read =>
  (value) =>
    messageOf(schema, value as Buffer);

const text: Read = (value) => (value as Buffer).toString();
const hex: Read = (value) => (value as Buffer).toString('hex');
const number: Read = (value) => Number(value);
const flag: Read = (value) => value !== 0n;
const fixed: Read = (value) => (value as Buffer).readBigUInt64LE().toString();
const double: Read = (value) => (value as Buffer).readDoubleLE();
const packed =
  (read: (bytes: Buffer, at: number) => number): Read =>
  (value) =>
    Array.from({ length: (value as Buffer).length / 8 }, (_, at) => read(value as Buffer, 8 * at));

const VALUE: Schema = {
  1: one('stringValue', text),
  2: one('boolValue', flag),
  3: one('intValue', number),
  4: one('doubleValue', double),
  5: one('arrayValue', (value) => messageOf({ 1: many('values', VALUE) }, value as Buffer)),
};
const ATTRIBUTES = many('attributes', { 1: one('key', text), 2: one('value', nested(VALUE)) });
const RESOURCE = one('resource', nested({ 1: ATTRIBUTES }));

const SPAN: Schema = {
  1: one('traceId', hex),
  2: one('spanId', hex),
  4: one('parentSpanId', hex),
  5: one('name', text),
  6: one('kind', number),
  7: one('startTimeUnixNano', fixed),
  8: one('endTimeUnixNano', fixed),
  9: ATTRIBUTES,
  15: one('status', nested({ 3: one('code', number) })),
};
const SPANS: Schema = { 1: RESOURCE, 2: many('scopeSpans', { 2: many('spans', SPAN) }) };

const TIMES = { 2: one('startTimeUnixNano', fixed), 3: one('timeUnixNano', fixed) };
const POINTS = many('dataPoints', { ...TIMES, 4: one('asDouble', double), 7: ATTRIBUTES });
const HISTOGRAM_POINTS = many('dataPoints', {
  ...TIMES,
  4: one('count', (value) => Number((value as Buffer).readBigUInt64LE())),
  5: one('sum', double),
  6: one(
    'bucketCounts',
    packed((bytes, at) => Number(bytes.readBigUInt64LE(at))),
  ),
  7: one(
    'explicitBounds',
    packed((bytes, at) => bytes.readDoubleLE(at)),
  ),
  9: ATTRIBUTES,
});
const METRIC: Schema = {
  1: one('name', text),
  3: one('unit', text),
  5: one('gauge', nested({ 1: POINTS })),
  7: one('sum', nested({ 1: POINTS, 2: one('aggregationTemporality', number), 3: one('isMonotonic', flag) })),
  9: one('histogram', nested({ 1: HISTOGRAM_POINTS, 2: one('aggregationTemporality', number) })),
};
const METRICS: Schema = { 1: RESOURCE, 2: many('scopeMetrics', { 2: many('metrics', METRIC) }) };

function messageOf(schema: Schema, bytes: Buffer): Record<string, unknown> {
  const message: Record<string, unknown> = Object.fromEntries(
    Object.values(schema).flatMap(({ name, repeated }) => (repeated ? [[name, []]] : [])),
  );
  for (let at = 0; at < bytes.length;) {
    const tag = varintAt(bytes, at);
    const { value, end } = valueAt(bytes, tag.end, Number(tag.value & 7n));
    at = end;
    const field = schema[Number(tag.value >> 3n)];
    if (field === undefined) continue;
    if (field.repeated) (message[field.name] as unknown[]).push(field.read(value));
    else message[field.name] = field.read(value);
  }
  return message;
}

function valueAt(bytes: Buffer, at: number, wireType: number): { value: Buffer | bigint; end: number } {
  switch (wireType) {
    case 0:
      return varintAt(bytes, at);
    case 1:
      return { value: bytes.subarray(at, at + 8), end: at + 8 };
    case 5:
      return { value: bytes.subarray(at, at + 4), end: at + 4 };
    case 2: {
      const length = varintAt(bytes, at);
      const end = length.end + Number(length.value);
      return { value: bytes.subarray(length.end, end), end };
    }
    default:
      throw new Error(`Wire type ${wireType} is unknown`);
  }
}

function varintAt(bytes: Buffer, from: number): { value: bigint; end: number } {
  let value = 0n;
  for (let at = from; ; at++) {
    const byte = bytes[at]!;
    value |= BigInt(byte & 0x7f) << BigInt(7 * (at - from));
    if (byte < 0x80) return { value, end: at + 1 };
  }
}
