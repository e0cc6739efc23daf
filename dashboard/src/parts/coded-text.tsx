import { Code } from '@mantine/core';

/** Renders text between `backticks` as code. */
export const CodedText = ({ text }: { readonly text: string }) =>
  text.split('`').map((part, index) => (index % 2 === 1 ? <Code key={index}>{part}</Code> : part));
