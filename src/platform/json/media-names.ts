const MEDIA =
  /(?:^result|image|audio|video|file|media|screenshot|url|uri|data|bytes|b64(?:_json)?|base64|signature|encrypted_(?:content|index))s?$/i;

/** Whether a field of a request can contain media, an address of media, or encrypted data. */
export const isMediaName = (name: string): boolean => MEDIA.test(name);
