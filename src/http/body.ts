// Reads request bodies of a bounded size.
//
// A body that is refused early is cancelled; otherwise its sender would continue to send. No function can be called
// twice for one request.

import { mostOfCommand } from "../protocol/commands.ts";
import { Fault } from "../protocol/fault.ts";
import type { Settings } from "../settings.ts";

/** Returns the maximum bytes of a body that contains a command. */
export const capOf = (settings: Settings): number => mostOfCommand(settings.MAX_MESSAGE_BYTES);

/** Returns the field that makes a body too large, judged by its beginning; undefined if it is not a single field. */
export type Largest = (beginning: string) => string | undefined;

/**
 * Reads a JSON body of at most `maxBytes`. Throws `unsupported` for another content type, `too_large`, or
 * `invalid_request` if it is not JSON.
 */
export async function readJson(request: Request, cap: number, largest?: Largest): Promise<unknown> {
  if (!isJsonType(request)) {
    await request.body?.cancel();
    throw new Fault("unsupported", "Send JSON, with the header content-type: application/json.");
  }
  const text = await readText(request, cap, largest);
  try {
    return JSON.parse(text);
  } catch {
    throw new Fault("invalid_request", "The body is not JSON.");
  }
}

/** True if the content type is JSON or has the suffix `+json`. */
export function isJsonType({ headers }: Request): boolean {
  return /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(headers.get("content-type") ?? "");
}

/** Reads a UTF-8 body of at most `maxBytes`. Throws `too_large`, with the field if `findField` finds one. */
export async function readText(request: Request, cap: number, largest: Largest = () => undefined): Promise<string> {
  const utf8 = new TextDecoder();
  const refusal = (beginning: Uint8Array): Fault => {
    const field = largest(utf8.decode(beginning));
    return field === undefined
      ? new Fault("too_large", `The request is too large: it has more than ${cap} bytes.`)
      : new Fault("too_large", `${field}: the request is too large`, { field });
  };
  return utf8.decode(await readBytes(request, cap, refusal));
}

/**
 * Reads a body of at most `maxBytes`. For a longer body, throws the result of `refusal`, which receives the bytes read
 * so far, and cancels the rest.
 */
export async function readBytes(
  request: Request,
  cap: number,
  refusal: (beginning: Uint8Array) => Fault,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (request.body ?? []) as Iterable<Uint8Array> | ReadableStream<Uint8Array>) {
    chunks.push(chunk);
    length += chunk.byteLength;
    // Leaving the loop cancels the rest of the body.
    if (length > cap) throw refusal(joined(chunks, length));
  }
  return joined(chunks, length);
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}
