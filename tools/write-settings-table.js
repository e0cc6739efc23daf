import { writeFileSync } from 'node:fs';
import { settingsTable } from '../dist/src/config/generated-settings.js';

writeFileSync('docs/settings.md', settingsTable());
