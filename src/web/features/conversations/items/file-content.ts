// Decodes and names the files in components.

import { decodeBase64 } from "../../../../lib/base64.ts";
import { escapeHiddenControls } from "../../../../lib/escape-invisible.ts";

const MAX_NAME_CHARS = 120;

/** Decodes base64; null if the text is invalid. */
export function decodeBytes(encoded: string): Uint8Array<ArrayBuffer> | null {
  try {
    return decodeBase64(encoded);
  } catch {
    return null;
  }
}

/**
 * Removes folders and leading dots from a file name, replaces reserved characters by `_`, escapes invisible characters,
 * and keeps the last 120 UTF-16 units. May return "".
 */
export function sanitizeFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  return escapeHiddenControls(last)
    .replaceAll(/[<>:"|?*\\]/g, "_")
    .replace(/^\.+/, "")
    .trim()
    .slice(-MAX_NAME_CHARS)
    .toWellFormed();
}
