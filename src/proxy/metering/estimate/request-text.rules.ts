/** Longer ones are no labels: a text that is called `id` is a text. */
export const LABEL_LENGTH_MAX = 64;
const ADDRESS_LENGTH_MAX = 4096;

/** Objects whose members a client names as it likes, so that names tell nothing in them and are read by the model too. */
export const AS_WRITTEN: ReadonlySet<string> = new Set([
  ...['parameters', 'input_schema', 'output_schema', 'schema', 'properties'],
  ...['input', 'arguments', 'chat_template_kwargs'],
]);

const LABELS =
  /^(?:role|type|object|status|phase|detail|format|syntax|effort|verbosity|ttl|(?:mime|media)_?type)$|(?:^|_)ids?$/i;

const MEDIA =
  /(?:^result|image|audio|video|file|media|screenshot|url|uri|data|bytes|b64(?:_json)?|base64|signature|encrypted_(?:content|index))s?$/i;
const DATA_URL = /^data:[^,\s]{0,200};base64,/i;
const ADDRESS = /^[a-z][a-z\d+.-]*:\/\/\S*$/i;
const NOT_BASE64 = /[^A-Za-z\d+/=_\r\n-]/;

/** A word of the format's own, or an id: its message's marks stand for it. */
export const isLabel = (name: string, value: string): boolean => value.length <= LABEL_LENGTH_MAX && LABELS.test(name);

/** What an image, audio, a file or their address is called, and what a provider has sealed for itself. */
export const isMediaName = (name: string): boolean => MEDIA.test(name);

/**
 * Bytes or the address of an image, audio or a file, or what is sealed. Both its name and its look have to say so: by the look alone a text without blanks could pass for it, by the name alone any text.
 */
export const isMedia = (name: string, value: string): boolean => isMediaName(name) && looksLikeMedia(value);

function looksLikeMedia(value: string): boolean {
  if (value.length <= ADDRESS_LENGTH_MAX && ADDRESS.test(value)) return true;
  const head = DATA_URL.exec(value)?.[0].length ?? 0;
  return !NOT_BASE64.test(head === 0 ? value : value.slice(head));
}
