const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = '\r\n0\r\n\r\n';

export class Response {
  status = null;
  keepsConnection = true;
  #head = '';
  #length = null;
  #received = 0;
  #tail = '';

  take(data) {
    let text = data.latin1Slice();
    if (this.status === null) {
      this.#head += text;
      const end = this.#head.indexOf(HEAD_END);
      if (end < 0) return false;
      this.status = Number(this.#head.slice(9, 12));
      const length = /\r\ncontent-length: *(\d+)/i.exec(this.#head.slice(0, end))?.[1];
      this.#length = length === undefined ? null : Number(length);
      this.keepsConnection = !/\r\nconnection: *close/i.test(this.#head.slice(0, end));
      // The line end before the body also precedes the first chunk.
      text = this.#head.slice(end + (this.#length === null ? 2 : HEAD_END.length));
    }
    this.#received += text.length;
    if (this.#length !== null) return this.#received >= this.#length;
    this.#tail = (this.#tail + text).slice(-LAST_CHUNK.length);
    return this.#tail === LAST_CHUNK;
  }
}
