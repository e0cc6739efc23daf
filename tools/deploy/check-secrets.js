/** The chart mounts secrets as files at this path. */
const MOUNT = '/etc/gateway-secrets';
const isOfDatabase = (name) => name === 'DATABASE_URL' || name.startsWith('PG');

/** Returns the settings that a container takes from Secrets, as variables or as files of the chart. */
export function secretsOf({ env = [] }) {
  return env
    .filter(({ value, valueFrom }) => valueFrom?.secretKeyRef || value?.startsWith(`${MOUNT}/`))
    .map(({ name, value }) => value?.slice(MOUNT.length + 1) ?? name);
}

/** Checks that each container has the secrets that it needs, and only those. */
export function secretFaults(pod, container) {
  const { name, env = [], volumeMounts = [] } = container;
  if (!['gateway', 'check', 'migrate'].includes(name)) return [];
  const mounted = filesOf(pod, volumeMounts);
  const named = env.flatMap(({ value }) => (value?.startsWith(`${MOUNT}/`) ? [value.slice(MOUNT.length + 1)] : []));
  const names = [...secretsOf(container), ...env.map((one) => one.name.replace(/_FILE$/, ''))];
  const demands = {
    'it has no secret for the database': ['DATABASE_URL', 'PGHOST'].some((one) => names.includes(one)),
    'it lacks the admin key or the encryption key':
      name === 'migrate' || ['GW_ADMIN_KEY', 'GW_SECRET_KEY'].every((one) => names.includes(one)),
    'it has more secrets than those of the database':
      name !== 'migrate' || [...secretsOf(container), ...mounted].every(isOfDatabase),
    'a variable names a file that is not mounted': named.every((one) => mounted.includes(one)),
    'a mounted secret is not used': mounted.every((one) => named.includes(one)),
  };
  return Object.keys(demands).filter((fault) => !demands[fault]);
}

function filesOf({ volumes }, mounts) {
  const mount = mounts.find(({ mountPath }) => mountPath === MOUNT);
  if (mount === undefined) return [];
  const { projected } = volumes.find(({ name }) => name === mount.name);
  return projected.sources.flatMap(({ secret }) => secret.items.map(({ path }) => path));
}
