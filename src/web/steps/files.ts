// Decodes and names the files in components.

import { fromBase64 } from "../../protocol/base64.ts";
import { plainly } from "../../protocol/visible.ts";

const MAX_NAME = 120;

/** Decodes base64; null if the text is invalid. */
export function bytesOf(encoded: string): Uint8Array<ArrayBuffer> | null {
  try {
    return fromBase64(encoded);
  } catch {
    return null;
  }
}

/** Removes folders, leading dots and reserved characters from a file name. Returns its last 120 UTF-16 units. */
export function fileNameOf(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  return plainly(last)
    .replaceAll(/[<>:"|?*\\]/g, "_")
    .replace(/^\.+/, "")
    .trim()
    .slice(-MAX_NAME)
    .toWellFormed();
}
