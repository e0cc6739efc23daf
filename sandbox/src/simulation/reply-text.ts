import type { Turn } from './turn.js';

const ECHO_LENGTH = 160;

const GREETINGS = ['Hello', 'Hi there', 'Good day', 'Welcome'];

/** Returns a text that states that no model was called and repeats the input, so that a person sees it arrived. */
export function replyText(turns: readonly Turn[], index: number): string {
  const greeting = GREETINGS[index % GREETINGS.length];
  const user = turns.findLast((turn) => turn.role === 'user');
  const tool = turns.at(-1)?.role === 'tool' ? turns.at(-1) : undefined;
  const sentences = [
    `${greeting} from the sandbox!`,
    user === undefined || user.text === '' ? 'You sent no text.' : `You wrote: "${excerpt(user.text)}".`,
    tool === undefined ? '' : `The tool returned: "${excerpt(tool.text)}".`,
    user === undefined || user.attachments === 0 ? '' : `It had ${user.attachments} attachment(s).`,
    'This response is simulated: no model was called and nothing was billed.',
  ];

  return sentences.filter((sentence) => sentence !== '').join(' ');
}

function excerpt(text: string): string {
  const line = text
    .slice(0, 4 * ECHO_LENGTH)
    .trim()
    .replaceAll(/\s+/g, ' ');
  const characters = [...line];

  return characters.length <= ECHO_LENGTH ? line : `${characters.slice(0, ECHO_LENGTH).join('')}…`;
}
