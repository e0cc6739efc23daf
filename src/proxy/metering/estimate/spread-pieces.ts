const PIECES = 256;

/** A part of some texts that stands for all of them. */
export interface Sample {
  readonly pieces: readonly string[];
  /** Of the texts' letters. */
  readonly share: number;
}

/**
 * Texts that have up to `bytesMax` bytes as they are; of longer ones about so much, in pieces from all over them: a random
 * place in each of 256 equal parts, so that nobody can put the cheap text where it is looked at and the dear one elsewhere.
 */
export function spreadPieces(texts: readonly string[], bytesMax: number): Sample {
  let bytes = 0;
  let letters = 0;
  for (const text of texts) {
    bytes += Buffer.byteLength(text);
    letters += text.length;
  }
  if (bytes <= bytesMax) return { pieces: texts, share: 1 };
  const length = Math.floor((letters * bytesMax) / bytes / PIECES);
  return { pieces: piecesOf(texts, letters / PIECES, length), share: (length * PIECES) / letters };
}

function piecesOf(texts: readonly string[], partLength: number, length: number): string[] {
  const pieces: string[] = [];
  let index = 0;
  let begins = 0;
  for (let part = 0; part < PIECES; part++) {
    let at = Math.floor(part * partLength + Math.random() * (partLength - length));
    const end = at + length;
    while (at < end) {
      const text = texts[index]!;
      const piece = text.slice(at - begins, end - begins);
      if (piece !== '') pieces.push(piece);
      at += piece.length;
      if (at < end) {
        begins += text.length;
        index += 1;
      }
    }
  }
  return pieces;
}
