// Decodes the bytes of an uploaded file. The encoding is that of the byte order mark, else the one the client sent,
// else the first one that decodes the bytes without errors.

import { createMessage } from "../language/messages.ts";
import { createFault } from "../protocol/wire/message-error.ts";

/** The text without a byte order mark, and the label of its encoding. */
export type DecodedText = { readonly text: string; readonly encoding: string };

/**
 * Returns the decoded text. `charset` is the encoding that the client sent, if any. Throws a `Fault` (`unsupported`)
 * for spreadsheets and archives, for bytes that are not text in this encoding, and for an unknown encoding.
 */
export function decodeText(bytes: Uint8Array, charset?: string): DecodedText {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4) {
    throw createFault("unsupported", "dataset.spreadsheet");
  }
  const known = detectByteOrderMark(bytes) ?? charset ?? guessUtf16(bytes);
  const candidates =
    known === undefined ? ["utf-8", ...(isLikelyWestern(bytes) ? WESTERN_FIRST : CHINESE_FIRST)] : [known];
  for (const encoding of candidates) {
    const text = decodeAs(bytes, encoding);
    if (text !== null && !text.includes("\0")) return { text, encoding };
  }
  if (known === undefined) throw createFault("unsupported", "dataset.notText");
  throw createFault("unsupported", createMessage("dataset.notTextInEncoding", { encoding: known }));
}

/** Returns null if the bytes are invalid in the encoding or the encoding is unknown. */
function decodeAs(bytes: Uint8Array, encoding: string): string | null {
  try {
    // This option removes the byte order mark.
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return null;
  }
}

function detectByteOrderMark([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return undefined;
}

const CHINESE_FIRST = ["gb18030", "windows-1252"];
const WESTERN_FIRST = ["windows-1252", "gb18030"];

/**
 * True if non-ASCII letters mostly stand alone, like the ä in a German word. Chinese characters are two bytes, mostly
 * both non-ASCII.
 */
function isLikelyWestern(bytes: Uint8Array): boolean {
  let [alone, others, run, last] = [0, 0, 0, 0];
  for (const byte of bytes.subarray(0, 100_000)) {
    if (byte >= 0x80) run += 1;
    else {
      // Letters from À to ÿ. Bytes below are common in Chinese encodings.
      if (run === 1 && last >= 0xc0) alone += 1;
      else if (run > 0) others += 1;
      run = 0;
    }
    last = byte;
  }
  return alone > others;
}

/** Detects UTF-16 without a byte order mark: in mostly ASCII text every other byte is zero. */
function guessUtf16(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, 1_000);
  const nulls = [0, 0];
  for (const [i, byte] of sample.entries()) if (byte === 0) nulls[i % 2] = (nulls[i % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = nulls;
  if (odd > sample.length / 8 && even < odd / 4) return "utf-16le";
  if (even > sample.length / 8 && odd < even / 4) return "utf-16be";
  return undefined;
}
