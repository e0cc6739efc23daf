import { Alert, Checkbox, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DialogFormEnd } from '../../parts/dialog-form-end';
import { count, plural } from '../../parts/numbers';
import { showDone, showFailure } from '../../parts/toasts';
import { kindInWords, unitOfPrice, USAGE_KIND_NAMES, type UsageKind } from '../../parts/usage-kinds.data';
import { useSendingForm } from '../../parts/use-sending-form';
import { useUpstreams } from '../upstreams/upstream-calls';
import { usePriceCalls } from './price-calls';
import {
  ALL_UPSTREAMS,
  bodyOf,
  fieldOf,
  firstKinds,
  initialValues,
  problemsOf,
  type AppliedPrice,
  type PriceValues,
} from './price-form.rules';
import type { MissingPrice } from './price-types';
import { recomputedInWords } from './recomputed-words';

interface Props {
  readonly missing: MissingPrice | null;
  /** The current price, which covers only some of the kinds. */
  readonly applied: AppliedPrice | null;
  readonly onClose: () => void;
}

export function SetPriceForm({ missing, applied, onClose }: Props) {
  const [kinds, setKinds] = useState(() => firstKinds(missing, applied));
  const [past, setPast] = useState(missing !== null);
  const save = useSavePrice(past ? missing : null);
  const { form, busy, error, submit } = useSendingForm<PriceValues>({
    initialValues: initialValues(missing, applied),
    validate: (values) => problemsOf(values, kinds),
    fieldOf,
    send: async (values) => {
      await save(values);
      onClose();
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {applied !== null && <Replaces of={applied} />}
        <TextInput
          label="Model"
          description="Model ID, or a pattern with *"
          required
          autoComplete="off"
          readOnly={missing !== null}
          {...form.getInputProps('model')}
        />
        <UpstreamSelect known={missing?.provider ?? null} {...form.getInputProps('provider')} />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          {kinds.map((kind) => (
            <TextInput
              key={kind}
              label={kindInWords(kind)}
              description={`Dollars ${unitOfPrice(kind)}`}
              inputMode="decimal"
              autoComplete="off"
              {...form.getInputProps(kind)}
            />
          ))}
        </SimpleGrid>
        <MoreKinds shown={kinds} add={(kind) => setKinds([...kinds, kind])} />
        <TextInput label="Note" maxLength={500} autoComplete="off" {...form.getInputProps('note')} />
        {missing !== null && <Past of={missing} checked={past} change={setPast} />}
        <DialogFormEnd error={error} onCancel={onClose} submit="Set price" busy={busy} />
      </Stack>
    </form>
  );
}

/** @param missing its past requests get the price too; null prices only new requests */
function useSavePrice(missing: MissingPrice | null): (values: PriceValues) => Promise<void> {
  const calls = usePriceCalls();
  return async (values) => {
    await calls.create(bodyOf(values, missing?.first_used_at ?? null));
    showDone(`The price of ${values.model.trim()} was set.`);
    if (missing === null) return;
    const { model, provider } = missing;
    // The price exists, so a failure must not keep the form open, which would set it twice.
    await calls.recompute({ model, provider }).then((done) => showDone(recomputedInWords(done)), showFailure);
  };
}

function Replaces({ of: { tiers, factors } }: { readonly of: AppliedPrice }) {
  const lost = [...(tiers.length > 0 ? ['tiers'] : []), ...(factors.length > 0 ? ['factors of service tiers'] : [])];
  return (
    <Alert color="orange" variant="outline">
      <Text size="sm">
        This price replaces the whole current price, whose figures are already filled in.
        {lost.length > 0 &&
          ` The ${lost.join(' and ')} of the current price do not carry over. Use the API to set them.`}
      </Text>
    </Alert>
  );
}

interface UpstreamProps {
  readonly known: string | null;
}

function UpstreamSelect({ known, ...input }: UpstreamProps) {
  const upstreams = useUpstreams();
  const listed = (upstreams.data?.upstreams ?? []).map(({ name }) => name);
  const names = [...new Set([...(known === null ? [] : [known]), ...listed])];
  return (
    <Select
      label="Upstream"
      allowDeselect={false}
      data={[{ value: ALL_UPSTREAMS, label: 'All upstreams' }, ...names.map((value) => ({ value, label: value }))]}
      {...input}
    />
  );
}

function MoreKinds({ shown, add }: { readonly shown: readonly UsageKind[]; readonly add: (kind: UsageKind) => void }) {
  const others = USAGE_KIND_NAMES.filter((kind) => !shown.includes(kind));
  return (
    <Select
      label="Add another kind"
      placeholder="Choose a kind of usage"
      data={others.map((value) => ({ value, label: kindInWords(value) }))}
      value={null}
      searchable
      onChange={(value) => value !== null && add(value)}
    />
  );
}

interface PastProps {
  readonly of: MissingPrice;
  readonly checked: boolean;
  readonly change: (checked: boolean) => void;
}

function Past({ of: { requests, requests_capped }, checked, change }: PastProps) {
  const number = `${count(requests)}${requests_capped ? ' or more' : ''} past ${plural(requests, 'request')}`;
  return (
    <Checkbox
      label={`Also price ${number}`}
      description="The price is then valid from the first of these requests. The audit log records the amount."
      checked={checked}
      onChange={(event) => change(event.currentTarget.checked)}
    />
  );
}
