import { describe, expect, test } from '@jest/globals';
import { NameLookups, type LookupDone } from '../../src/fairness/name-lookups.js';

/** Lookups that end when they are told to. */
function slowLookups() {
  const begun = new Map<string, LookupDone>();
  const lookups = new NameLookups((name, done) => void begun.set(name, done));
  const answers: string[] = [];
  const ask = (name: string) => lookups.ask(name, (error, [first]) => answers.push(error?.message ?? first!.address));
  const end = (name: string, address: string) => {
    const done = begun.get(name)!;
    begun.delete(name);
    done(null, [{ address, family: 4 }]);
  };
  return { begun, ask, end, answers };
}

describe('names are looked up', () => {
  test('three at a time, in the order in which they were asked for', () => {
    const { begun, ask, end, answers } = slowLookups();
    for (const name of ['a', 'b', 'c', 'd', 'e']) ask(name);
    expect([...begun.keys()]).toEqual(['a', 'b', 'c']);
    end('b', '192.0.2.2');
    expect([...begun.keys()]).toEqual(['a', 'c', 'd']);
    expect(answers).toEqual(['192.0.2.2']);
  });

  test('once, however many ask: one that resolves slowly keeps no other from its turn', () => {
    const { begun, ask, end, answers } = slowLookups();
    for (let i = 0; i < 100; i++) ask('slow');
    ask('good');
    expect([...begun.keys()]).toEqual(['slow', 'good']);
    end('good', '192.0.2.1');
    end('slow', '192.0.2.9');
    expect(answers).toEqual(['192.0.2.1', ...Array.from({ length: 100 }, () => '192.0.2.9')]);
    ask('slow');
    expect([...begun.keys()]).toEqual(['slow']);
  });

  test('for nobody who has gone: a name that nobody waits for any more is left out', () => {
    const { begun, ask, end, answers } = slowLookups();
    const [leave, stay] = [ask('a'), ask('b'), ask('c')];
    const gone = ask('d');
    ask('e');
    gone();
    leave();
    end('a', '192.0.2.1');
    expect([...begun.keys()]).toEqual(['b', 'c', 'e']);
    stay();
    end('b', '192.0.2.2');
    end('c', '192.0.2.3');
    expect(answers).toEqual(['192.0.2.3']);
  });

  test('anew after a failure, which all who asked are told', () => {
    const { begun, ask, answers } = slowLookups();
    ask('a');
    ask('a');
    begun.get('a')!(new Error('not found'), []);
    expect(answers).toEqual(['not found', 'not found']);
    begun.clear();
    ask('a');
    expect([...begun.keys()]).toEqual(['a']);
  });
});
