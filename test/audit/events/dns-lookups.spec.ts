import { describe, expect, test } from '@jest/globals';
import { DnsLookups, type LookupDone } from '../../../src/audit/events/delivery/dns-lookups.js';

/** Creates lookups that the test ends. */
function slowLookups() {
  const running = new Map<string, LookupDone>();
  const lookups = new DnsLookups((name, done) => void running.set(name, done));
  const results: string[] = [];
  const ask = (name: string) => lookups.ask(name, (error, [first]) => results.push(error?.message ?? first!.address));
  const end = (name: string, address: string) => {
    const done = running.get(name)!;
    running.delete(name);
    done(null, [{ address, family: 4 }]);
  };
  return { running, ask, end, results };
}

describe('DnsLookups', () => {
  test('at most three names are looked up at a time, in order', () => {
    const { running, ask, end, results } = slowLookups();
    for (const name of ['a', 'b', 'c', 'd', 'e']) ask(name);
    expect([...running.keys()]).toEqual(['a', 'b', 'c']);
    end('b', '192.0.2.2');
    expect([...running.keys()]).toEqual(['a', 'c', 'd']);
    expect(results).toEqual(['192.0.2.2']);
  });

  test('callers with the same name share one lookup, so a slow name does not delay others', () => {
    const { running, ask, end, results } = slowLookups();
    for (let i = 0; i < 100; i++) ask('slow');
    ask('good');
    expect([...running.keys()]).toEqual(['slow', 'good']);
    end('good', '192.0.2.1');
    end('slow', '192.0.2.9');
    expect(results).toEqual(['192.0.2.1', ...Array.from({ length: 100 }, () => '192.0.2.9')]);
    ask('slow');
    expect([...running.keys()]).toEqual(['slow']);
  });

  test('a name without remaining callers is not looked up', () => {
    const { running, ask, end, results } = slowLookups();
    const [cancelA, cancelB] = [ask('a'), ask('b'), ask('c')];
    const cancelD = ask('d');
    ask('e');
    cancelD();
    cancelA();
    end('a', '192.0.2.1');
    expect([...running.keys()]).toEqual(['b', 'c', 'e']);
    cancelB();
    end('b', '192.0.2.2');
    end('c', '192.0.2.3');
    expect(results).toEqual(['192.0.2.3']);
  });

  test('a failed lookup fails for all callers, and is repeated for the next one', () => {
    const { running, ask, results } = slowLookups();
    ask('a');
    ask('a');
    running.get('a')!(new Error('not found'), []);
    expect(results).toEqual(['not found', 'not found']);
    running.clear();
    ask('a');
    expect([...running.keys()]).toEqual(['a']);
  });
});
