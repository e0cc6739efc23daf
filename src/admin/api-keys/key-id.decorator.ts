import { Param } from '@nestjs/common';
import { UuidPipe } from '../uuid.pipe.js';

/** The key that a path names. One that is no UUID is 404, with the text of an unknown one. */
export const KeyId = (): ParameterDecorator => Param('id', new UuidPipe('API key not found'));

/** For the API description: when a call that names a key is 404. */
export const UNKNOWN_KEY = 'no key has this id';
