// Files in the contents of a component.

import { fromBase64 } from "../../protocol/base64.ts";
import { plainly } from "../../protocol/visible.ts";

const MAX_NAME = 120;

/** The bytes of a text in base64, or null. */
export function bytesOf(encoded: string): Uint8Array<ArrayBuffer> | null {
  try {
    return fromBase64(encoded);
  } catch {
    return null;
  }
}

/** A name without folders, and without what systems give a meaning of their own. */
export function fileNameOf(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  return plainly(last)
    .replaceAll(/[<>:"|?*\\]/g, "_")
    .replace(/^\.+/, "")
    .trim()
    .slice(-MAX_NAME)
    .toWellFormed();
}
