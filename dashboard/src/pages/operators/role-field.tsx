import { Radio, Stack } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { ROLES } from './roles.data';

export function RoleField(input: GetInputPropsReturnType) {
  return (
    <Radio.Group label="Role" {...input}>
      <Stack gap="xs" my={4}>
        {ROLES.map(({ role, label, may }) => (
          <Radio key={role} value={role} label={label} description={may} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
