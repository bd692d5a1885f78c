// The size of texts in bytes of UTF-8, and pieces of texts. A surrogate pair is never split.

const utf8 = new TextEncoder();

/** True if `text` has more than `limit` bytes in UTF-8. Encodes the text only if its length does not decide. */
export function exceedsBytes(text: string, limit: number): boolean {
  if (text.length > limit) return true;
  return text.length * 3 > limit && countBytes(text) > limit;
}

/** Returns the number of bytes of a text in UTF-8. */
export function countBytes(text: string): number {
  return utf8.encode(text).byteLength;
}

/** Yields the text in pieces of at most `maxChars` UTF-16 units, at least 2; a text that is not longer is one piece. */
export function* splitText(text: string, maxChars: number): Generator<string, void> {
  for (let start = 0; start < text.length || start === 0;) {
    const end = findCut(text, start + maxChars);
    yield start === 0 && end === text.length ? text : text.slice(start, end);
    if (end >= text.length) return;
    start = end;
  }
}

/** Returns the longest beginning of a text that has at most `maxBytes` bytes in UTF-8. */
export function truncateToBytes(text: string, maxBytes: number): string {
  if (!exceedsBytes(text, maxBytes)) return text;
  const { read } = utf8.encodeInto(text, new Uint8Array(Math.max(0, maxBytes)));
  return text.slice(0, findCut(text, read));
}

/** Returns the last index up to `at` that does not split a surrogate pair. */
function findCut(text: string, at: number): number {
  if (at >= text.length) return text.length;
  return isHighSurrogate(text.charCodeAt(at - 1)) && isLowSurrogate(text.charCodeAt(at)) ? at - 1 : at;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;
