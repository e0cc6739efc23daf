import { tokensOf } from '../simulation/tokens.js';
import { namedEvent } from '../wire/event-stream.js';
import { type Run, runObject, runSteps } from './run.js';
import { textContent, type ThreadMessage, turnOf } from './thread-message.js';

export function* runEvents(run: Run, message: ThreadMessage): Generator<string> {
  const started = { ...message, status: 'in_progress', completed_at: null, content: [] };
  const [step] = runSteps(run, 'in_progress');
  const [stepDone] = runSteps(run);

  yield namedEvent('thread.run.created', runObject(run, 'queued'));
  yield namedEvent('thread.run.queued', runObject(run, 'queued'));
  yield namedEvent('thread.run.in_progress', runObject(run, 'in_progress'));
  yield namedEvent('thread.run.step.created', step);
  yield namedEvent('thread.run.step.in_progress', step);
  yield namedEvent('thread.message.created', started);
  yield namedEvent('thread.message.in_progress', started);
  for (const [index, value] of tokensOf(turnOf(message).text).entries()) {
    const text = index === 0 ? textContent(value).text : { value };
    const delta = { content: [{ index: 0, type: 'text', text }] };

    yield namedEvent('thread.message.delta', { id: message.id, object: 'thread.message.delta', delta });
  }
  yield namedEvent('thread.message.completed', message);
  yield namedEvent('thread.run.step.completed', stepDone);
  yield namedEvent('thread.run.completed', runObject(run));
  yield 'event: done\ndata: [DONE]\n\n';
}
