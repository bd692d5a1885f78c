import { Fault } from "../protocol/fault.ts";
import type { Settings } from "../settings.ts";

/** JSON may write one byte of a message with six, and there is more than the message. */
const capOf = (settings: Settings): number => settings.MAX_MESSAGE_BYTES * 6 + 64 * 1024;

/** Reads a JSON body of bounded size. What is refused early is cancelled, so that its sender is not left writing. */
export async function readJson(request: Request, settings: Settings): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) {
    await request.body?.cancel();
    throw new Fault("unsupported", "Send JSON, with the header content-type: application/json.");
  }
  const text = await readText(request, capOf(settings));
  try {
    return JSON.parse(text);
  } catch {
    throw new Fault("invalid_request", "The body is not JSON.");
  }
}

async function readText(request: Request, cap: number): Promise<string> {
  if (request.body === null) return "";
  const utf8 = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of request.body as ReadableStream<Uint8Array>) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the rest of the body.
    if (bytes > cap) throw new Fault("too_large", "message: the request is too large", { field: "message" });
    text += utf8.decode(chunk, { stream: true });
  }
  return text + utf8.decode();
}
