import { UuidPipe } from '../../admin/uuid.pipe.js';

/** What is typed as a key's id; often it is its name. */
export const keyId = new UuidPipe('API key not found: name it by its id, which "key list" shows');
