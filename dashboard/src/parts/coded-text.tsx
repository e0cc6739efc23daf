import { Code } from '@mantine/core';

/** Text in which what stands between `backticks` is code. */
export const CodedText = ({ text }: { readonly text: string }) =>
  text.split('`').map((part, index) => (index % 2 === 1 ? <Code key={index}>{part}</Code> : part));
