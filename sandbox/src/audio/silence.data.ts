/** Silence (24 kHz, mono) in formats whose encoders would need a lot of code: a whole file, or a frame to repeat. */
export const FLAC_FILE = 'ZkxhQ4AAACIQABAAAAAAAAAABdwA8AAAEAAIKfcXQKqxq5izPq4h3uEi//jGCADSAAAAQlM=';

export const OGG_OPUS_FILE =
  'T2dnUwACAAAAAAAAAABETkFTAAAAAOOcIwQBE09wdXNIZWFkAQE4AcBdAAAAAABPZ2dTAAAAAAAAAAAAAEROQVMBAAAA4QBnoAEXT3B1c1RhZ3MH' +
  'AAAAc2FuZGJveAAAAABPZ2dTAASAJQAAAAAAAEROQVMCAAAApMr8tQoDAwMDAwMDAwMD+P/++P/++P/++P/++P/++P/++P/++P/++P/++P/+';

export const MP3_FRAME = '//MUxAAAAAAAAAAAAAAAAAAAAAAAAAAA';

export const AAC_FRAME = '//FYQAG//ADIAIAjgA==';
