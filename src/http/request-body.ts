// Reads request bodies of a bounded size.
//
// A body that is refused early is cancelled; otherwise its sender would continue to send. No function can be called
// twice for one request.

import { computeMaxCommandSize } from "../protocol/wire/commands.ts";
import { createMessage } from "../language/messages.ts";
import { createFault } from "../protocol/wire/message-error.ts";
import type { Fault } from "../protocol/wire/fault.ts";
import type { Settings } from "../settings.ts";

/** Returns the maximum bytes of a body that contains a command, for the configured size of a message. */
export const getCommandSizeLimit = (settings: Settings): number => computeMaxCommandSize(settings.MAX_MESSAGE_BYTES);

/** The maximum size of images, tools and tool results together, besides the text of a message. */
const MODEL_INPUT_BYTES = 1_048_576;

/** Returns the maximum bytes of a body that contains a message with input for a model. */
export const getModelInputLimit = (settings: Settings): number => getCommandSizeLimit(settings) + MODEL_INPUT_BYTES;

/** Returns the field that makes a body too large, judged by its beginning; undefined if it is not a single field. */
export type FindLargestField = (beginning: string) => string | undefined;

/**
 * Reads a JSON body of at most `maxBytes`. Throws `unsupported` for another content type, `too_large` (with the field
 * that `findField` finds), or `invalid_request` if it is not JSON.
 */
export async function readJsonBody(request: Request, maxBytes: number, findField?: FindLargestField): Promise<unknown> {
  if (!hasJsonContentType(request)) {
    await request.body?.cancel();
    throw createFault("unsupported", "http.jsonRequired");
  }
  const text = await readTextBody(request, maxBytes, findField);
  try {
    return JSON.parse(text);
  } catch {
    throw createFault("invalid_request", "http.invalidJson");
  }
}

/** True if the content type is JSON or has the suffix `+json`. */
export function hasJsonContentType({ headers }: Request): boolean {
  return /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(headers.get("content-type") ?? "");
}

/**
 * Reads a UTF-8 body of at most `maxBytes`; a missing body is "". Throws `too_large`, with the field if `findField`
 * finds one.
 */
export async function readTextBody(
  request: Request,
  maxBytes: number,
  findField: FindLargestField = () => undefined,
): Promise<string> {
  const decoder = new TextDecoder();
  const createSizeFault = (beginning: Uint8Array): Fault => {
    const field = findField(decoder.decode(beginning));
    return field === undefined
      ? createFault("too_large", createMessage("http.bodyTooLarge", { maxBytes }))
      : createFault("too_large", createMessage("field.oversizedRequest", { field }), { field });
  };
  return decoder.decode(await readBodyBytes(request, maxBytes, createSizeFault));
}

/**
 * Reads a body of at most `maxBytes`; a missing body is empty. For a longer body, throws the result of
 * `createSizeFault`, which receives the bytes read so far, and cancels the rest.
 */
export async function readBodyBytes(
  request: Request,
  maxBytes: number,
  createSizeFault: (beginning: Uint8Array) => Fault,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (request.body ?? []) as Iterable<Uint8Array> | ReadableStream<Uint8Array>) {
    chunks.push(chunk);
    length += chunk.byteLength;
    // Leaving the loop cancels the rest of the body.
    if (length > maxBytes) throw createSizeFault(joinChunks(chunks, length));
  }
  return joinChunks(chunks, length);
}

function joinChunks(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}
