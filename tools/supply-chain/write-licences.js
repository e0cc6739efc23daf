import { writeFileSync } from 'node:fs';
import { licencesPage } from './licences.js';

writeFileSync('docs/licences.md', licencesPage('.'));
