import tseslint from 'typescript-eslint';
import project from '../eslint.config.js';

/** The project's rules, except those that need types. Type checking would load the whole project on each commit. */
export default [...project, tseslint.configs.disableTypeChecked];
