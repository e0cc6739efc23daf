/** `head` contains the header lines of the part. */
export interface TestPart {
  readonly head: string;
  readonly content?: string | Buffer;
}

export const BOUNDARY = '----formdata-test-0123456789';

export const formOf = (parts: readonly TestPart[], boundary = BOUNDARY): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ head, content = '' }) => [
      Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);

export const text = (name: string, content: string | Buffer): TestPart => ({
  head: `Content-Disposition: form-data; name="${name}"`,
  content,
});

export const file = (name: string, content: string | Buffer = 'RIFF', filename = 'a.wav'): TestPart => ({
  head: `Content-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: audio/wav`,
  content,
});
