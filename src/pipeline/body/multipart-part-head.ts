import { isUtf8 } from 'node:buffer';
import { unreadableForm } from '../../errors/catalogue.js';
import type { GatewayError } from '../../errors/gateway-error.js';

/** Characters. */
const NAME_LENGTH_MAX = 200;
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const LINE = new RegExp(`^(${TOKEN}):[ ]?(.*)$`);
const FORM_DATA = 'form-data';
const DISPOSITION = `Begin each part with 'Content-Disposition: form-data; name="FIELD"'`;
/** No blanks about `=`; a quoted value may hold escapes, which only a filename may have in the end. */
const PARAMETER = new RegExp(`; ?(name|filename|filename\\*)=(?:"((?:[^"\\\\]|\\\\.)*)"|(${TOKEN}))`, 'y');
/** Whoever looks for the name with a plain search, or splits at every semicolon, would find it in here. */
const HIDES_A_NAME = /name\*?\s*=/i;
/** Bytes below 0x80 mean the same in all of these. */
const PLAIN_TEXT = /^text\/plain(?: *; *charset="?(?:utf-?8|us-ascii|iso-8859-1|windows-1252)"?)?$/i;
const AS_IT_IS = /^(?:7bit|8bit|binary)$/i;

/** What the head of one part tells. */
export interface PartHead {
  readonly name: string;
  /** null: none was given. */
  readonly filename: string | null;
  /** A part with a filename, or of another type than plain text. */
  readonly isFile: boolean;
}

/**
 * Reads the lines between a boundary and a part's content by one strict grammar. Parsers disagree on whatever is beyond it
 * (folded lines, `name*`, escapes, encodings), and the upstream's could then see another model than the gate did (D29).
 * What browsers, curl and the SDKs send fits.
 * @throws GatewayError `invalid_value`, param `model`
 */
export function readPartHead(head: Buffer): PartHead {
  if (!isUtf8(head)) throw readTwoWays('the headers of a part are not UTF-8', 'Encode names in UTF-8');
  const lines = linesOf(head.toString());
  const { name, filename } = dispositionOf(lines.get('content-disposition'));
  if (!AS_IT_IS.test(lines.get('content-transfer-encoding') ?? 'binary')) {
    throw readTwoWays('a part has a transfer encoding', 'Send its content as it is');
  }
  const type = lines.get('content-type');
  const isFile = filename !== null || (type !== undefined && !/^text\/plain *(?:;|$)/i.test(type));
  if (!isFile && type !== undefined && !PLAIN_TEXT.test(type)) {
    throw readTwoWays(
      'the Content-Type of a text field has a parameter other than an ASCII-compatible charset',
      'Leave the Content-Type out',
    );
  }
  return { name, filename, isFile };
}

/** The refusal of a form in which two parsers could read two models (D29). `problem` completes a sentence, `remedy` is one. */
export const readTwoWays = (problem: string, remedy: string): GatewayError => unreadableForm(problem, remedy, 'model');

/** Values by lower-case name. */
function linesOf(head: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const line of head.split('\r\n')) {
    const match = LINE.exec(line);
    // A tab, a bare CR or LF, a NUL: each is a blank or a line's end to one parser and a letter to another.
    if (match === null || CONTROL.test(line))
      throw readTwoWays(
        'a header line of a part is malformed',
        'Write each header as "Name: value" on a line of its own',
      );
    const name = match[1]!.toLowerCase();
    if (values.has(name)) throw readTwoWays(`a part has two ${name} headers`, 'Send each header once');
    values.set(name, match[2]!);
  }
  return values;
}

const CONTROL = /\p{Cc}/u;

function dispositionOf(value: string | undefined): { name: string; filename: string | null } {
  if (value === undefined || !value.startsWith(FORM_DATA)) throw readTwoWays('a part is not form-data', DISPOSITION);
  const given = new Map<string, string>();
  PARAMETER.lastIndex = FORM_DATA.length;
  while (PARAMETER.lastIndex < value.length) {
    const match = PARAMETER.exec(value);
    if (match === null || given.has(match[1]!))
      throw readTwoWays("a part's Content-Disposition is malformed", DISPOSITION);
    given.set(match[1]!, match[2] ?? match[3]!);
  }
  const name = given.get('name');
  const filename = given.get('filename') ?? given.get('filename*') ?? null;
  if (name === undefined || name === '' || name.length > NAME_LENGTH_MAX || name.includes('\\')) {
    throw readTwoWays('a part has no valid name', DISPOSITION);
  }
  if ([name, filename, given.get('filename*')].some((text) => HIDES_A_NAME.test(text ?? ''))) {
    throw readTwoWays('a file name contains "name=", which could be read as a second name', 'Rename the file');
  }
  return { name: unescaped(name), filename };
}

/** Browsers and SDKs write these three characters so, and no others. */
const unescaped = (name: string): string => name.replace(/%22/g, '"').replace(/%0d/gi, '\r').replace(/%0a/gi, '\n');
