import type { Config } from '../../config/config.js';
import { OperatorsModule } from '../../operators/operators.module.js';
import { OperatorsService } from '../../operators/operators.service.js';
import { withServices } from '../application.js';
import { ok, warn, type Finding } from './finding.js';

const CHECK = 'owner';
const PAGE = 500;
const MAKE_ONE = 'Run operator create --role owner --generate --email YOU@EXAMPLE.COM --name YOU';

/** Whether somebody may sign in to the dashboard and do everything there. @param config with the database's address */
export function checkOwner(config: Config): Promise<Finding> {
  return withServices(config, { room: OperatorsModule, writes: false }, async (services) => {
    const { total, email } = await findOwner(services.get(OperatorsService));
    if (email !== null) return ok(CHECK, `${email} may sign in`);
    if (total > 0) return warn(CHECK, `none of the ${total} operator(s) is an owner who may sign in`, MAKE_ONE);
    const given = config.ownerEmail !== '' && config.ownerPassword !== '';
    if (given || !config.production) return ok(CHECK, 'no operator yet: the next start makes the first owner');
    return warn(CHECK, 'no operator yet: nobody can sign in to the dashboard', MAKE_ONE);
  });
}

async function findOwner(operators: OperatorsService): Promise<{ total: number; email: string | null }> {
  for (let offset = 0; ; offset += PAGE) {
    const page = await operators.list({ limit: PAGE, offset });
    const owner = page.operators.find(({ role, disabled }) => role === 'owner' && !disabled);
    if (owner !== undefined || page.operators.length < PAGE) return { total: page.total, email: owner?.email ?? null };
  }
}
