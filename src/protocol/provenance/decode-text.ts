// Decodes the encodings in which a value may hide: JSON escapes, HTML entities, percent encoding, base64 and hex.

import { decodeBase64 } from "../../lib/base64.ts";

/** The shortest base64 and hexadecimal text that is decoded. Shorter ones are ordinary words too often. */
const MIN_ENCODED_CHARS = 12;
const ENCODED_TOKEN = /[\w+/=%.~-]{8,}/g;
/** The number of tokens of one text that are decoded. More would cost more than they tell. */
const MAX_TOKENS = 2_000;

/** A token of a text that may be encoded, with its position. */
export type EncodedToken = { readonly text: string; readonly start: number; readonly end: number };

/** Returns the tokens of a text that may be encoded, in their order. */
export function listEncodedTokens(text: string): EncodedToken[] {
  const tokens: EncodedToken[] = [];
  for (const { 0: token, index } of text.matchAll(ENCODED_TOKEN)) {
    if (tokens.length >= MAX_TOKENS) break;
    tokens.push({ text: token, start: index, end: index + token.length });
  }
  return tokens;
}

/** Returns the readable texts that a token may encode. Empty if it decodes to nothing readable. */
export function decodeToken(token: string): string[] {
  const readings = [decodePercent(token), decodeHex(token), ...decodeBase64Parts(token)];
  return readings.flatMap((reading) => (reading === null || reading === token ? [] : [reading]));
}

/**
 * Returns the other readings of a whole text: without JSON escapes, without HTML entities, and the decoded tokens.
 */
export function listReadings(text: string): string[] {
  return [
    ...(text.includes("\\") ? [text.replace(JSON_ESCAPE, decodeJsonEscape)] : []),
    ...(text.includes("&") ? [text.replace(HTML_ENTITY, decodeEntity)] : []),
    ...listEncodedTokens(text).flatMap(({ text: token }) => decodeToken(token)),
  ];
}

const JSON_ESCAPE = /\\(?:u([\da-f]{4})|.)/gi;
const HTML_ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi;
const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

function decodeJsonEscape(escape: string, code: string | undefined): string {
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  return /\\[ntrbf]/.test(escape) ? " " : escape.slice(1);
}

function decodeEntity(entity: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return NAMED_ENTITIES[name.toLowerCase()] ?? entity;
  const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
  return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
}

function decodePercent(token: string): string | null {
  if (!token.includes("%")) return null;
  try {
    return decodeURIComponent(token.replaceAll("+", " "));
  } catch {
    return null;
  }
}

function decodeHex(token: string): string | null {
  if (token.length < MIN_ENCODED_CHARS || token.length % 2 !== 0 || !/^[\da-f]+$/i.test(token)) return null;
  const bytes = token.match(/../g) ?? [];
  return decodeUtf8(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)));
}

/** Decodes the parts of a token that look like base64, in both alphabets. Unpadded parts are accepted. */
function decodeBase64Parts(token: string): string[] {
  if (token.length < MIN_ENCODED_CHARS) return [];
  return token.split(/[=%.~]+/).flatMap((part) => {
    if (part.length < MIN_ENCODED_CHARS || part.length % 4 === 1 || /^[a-z]+$|^\d+$/.test(part)) return [];
    return decodeUtf8(decodeBase64(part.replaceAll("-", "+").replaceAll("_", "/"))) ?? [];
  });
}

const UTF8 = new TextDecoder();

/** Decodes bytes; null unless they are valid and readable text. */
function decodeUtf8(bytes: Uint8Array): string | null {
  const text = UTF8.decode(bytes);
  return /[\ufffd\p{Cc}\p{Cn}\p{Co}]/u.test(text.replaceAll(/[\t\n\r]/g, "")) ? null : text;
}
