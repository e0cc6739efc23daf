import { writeFileSync } from 'node:fs';
import { settingsTable } from '../dist/src/config/settings-table.js';

writeFileSync('docs/settings.md', settingsTable());
