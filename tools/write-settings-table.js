import { writeFileSync } from 'node:fs';
import { settingsTable } from '../dist/src/platform/config/settings-documents.js';

writeFileSync('docs/settings.md', settingsTable());
