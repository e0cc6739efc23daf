import tseslint from 'typescript-eslint';
import project from '../eslint.config.js';

/** The project's rules without those that need types: the type checker would load the whole project for each commit. */
export default [...project, tseslint.configs.disableTypeChecked];
