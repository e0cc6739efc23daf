import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { Confirm } from '../../parts/confirm';
import { showDone, showFailure } from '../../parts/toasts';
import { useDrainCalls } from './upstream-calls';
import type { Upstream } from './upstream-types';

interface Props {
  readonly upstream: Upstream;
  readonly testing: boolean;
  readonly test: () => void;
}

export function UpstreamActions({ upstream: { name, draining_since }, testing, test }: Props) {
  return (
    <>
      <Button px="sm" variant="default" loading={testing} onClick={test}>
        Test
      </Button>
      {draining_since === null ? <Drain name={name} /> : <Resume name={name} />}
    </>
  );
}

function Drain({ name }: { readonly name: string }) {
  const [asked, setAsked] = useState(false);
  const calls = useDrainCalls();
  return (
    <>
      <Button px="sm" variant="default" onClick={() => setAsked(true)}>
        Drain
      </Button>
      <Confirm
        opened={asked}
        onClose={() => setAsked(false)}
        title="Drain this upstream?"
        action="Drain"
        run={async () => {
          await calls.drain(name);
          showDone(`${name} is draining.`);
        }}
      >
        <Text size="sm">
          New requests go to other upstreams, in all processes within a second. Requests that only <b>{name}</b> can
          serve are rejected with 503. Running requests finish, and requests about its stored objects still reach it.
          The drain lasts until you resume the upstream, even after a restart.
        </Text>
      </Confirm>
    </>
  );
}

function Resume({ name }: { readonly name: string }) {
  const [busy, setBusy] = useState(false);
  const calls = useDrainCalls();
  async function resume(): Promise<void> {
    setBusy(true);
    try {
      await calls.resume(name);
      showDone(`${name} receives new requests again.`);
    } catch (error) {
      showFailure(error);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Button px="sm" loading={busy} onClick={() => void resume()}>
      Resume
    </Button>
  );
}
