import { Button, Collapse, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { AVAILABILITIES, AVAILABILITY_ORDER } from './availability.data';
import { CAPABILITIES, CAPABILITY_ORDER } from './capabilities.data';
import { CapabilityMark } from './capability-marks';
import { AvailabilityBadge } from './model-badges';

export function ModelLegend() {
  const [opened, { toggle }] = useDisclosure();
  return (
    <div>
      <Button variant="subtle" size="compact-sm" px={0} aria-expanded={opened} onClick={toggle}>
        {opened ? 'Hide legend' : 'Show legend'}
      </Button>
      <Collapse expanded={opened}>
        <Paper withBorder p="md" mt="xs">
          <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
            <Availabilities />
            <Capabilities />
          </SimpleGrid>
        </Paper>
      </Collapse>
    </div>
  );
}

function Availabilities() {
  return (
    <Stack gap="sm">
      <Title order={2} size="h5">
        Availability
      </Title>
      {AVAILABILITY_ORDER.map((availability) => (
        <div key={availability}>
          <AvailabilityBadge availability={availability} plain />
          <Text size="sm">{AVAILABILITIES[availability].means}</Text>
        </div>
      ))}
    </Stack>
  );
}

function Capabilities() {
  return (
    <Stack gap="sm">
      <Title order={2} size="h5">
        Capabilities
      </Title>
      {CAPABILITY_ORDER.map((name) => (
        <Group key={name} gap="xs" wrap="nowrap">
          <CapabilityMark name={name} />
          <Text size="sm">
            <b>{CAPABILITIES[name].label}</b>: {CAPABILITIES[name].means}
          </Text>
        </Group>
      ))}
      <Text size="sm">
        Capabilities come from the registry of this gateway. A missing icon means “no” or “unknown”.
      </Text>
      <Title order={2} size="h5" mt="xs">
        Policy
      </Title>
      <Text size="sm">
        Requests for a blocked model are rejected for every key. Allow a model only if it is marked broken or, with
        GW_PROFILE set to “current”, if the provider does not list it. The allowed models of a key also apply.
      </Text>
    </Stack>
  );
}
