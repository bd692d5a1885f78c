// Removal of a secret from a streamed response.
//
// Each stream owns a short tail of text that it holds back: the longest suffix that may be the beginning of the secret.
// Invariant: no form of the secret is enqueued, even if the secret is split across chunks.
// All other text passes without delay. The tail is flushed at the end of the stream.

/** Shorter values are not treated as secrets, because they may occur in ordinary text. */
const MIN_CHARS = 8;
const INSTEAD = "[key]";

/**
 * Returns the response with all occurrences of the secret replaced: plain, escaped in JSON, and percent-encoded.
 * Returns the response itself if it has no body or the secret is shorter than MIN_SECRET_CHARS. The body is decoded as
 * UTF-8.
 */
export function redacted(response: Response, secret: string): Response {
  if (response.body === null || secret.length < MIN_CHARS) return response;
  const forms = formsOf(secret);
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let held = "";
  const clean = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      const text = without(forms, held + decoder.decode(piece, { stream: true }));
      const end = startOf(forms, text);
      held = text.slice(end);
      if (end > 0) controller.enqueue(encoder.encode(text.slice(0, end)));
    },
    flush: (controller) => controller.enqueue(encoder.encode(held + decoder.decode())),
  });
  return new Response(response.body.pipeThrough(clean), response);
}

/** Lists the forms of a secret: plain, in JSON (with and without escaped slashes), and percent-encoded. */
function formsOf(secret: string): readonly string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [...new Set([secret, inJson, inJson.replaceAll("/", String.raw`\/`), encodeURIComponent(secret)])];
}

function without(forms: readonly string[], text: string): string {
  return forms.reduce((rest, form) => rest.replaceAll(form, INSTEAD), text);
}

/** Returns the index of the longest suffix that is a prefix of a form; the length of the text if there is none. */
function startOf(forms: readonly string[], text: string): number {
  const longest = Math.max(...forms.map((form) => form.length));
  for (let start = Math.max(0, text.length - longest + 1); start < text.length; start += 1) {
    const tail = text.slice(start);
    if (forms.some((form) => form.startsWith(tail))) return start;
  }
  return text.length;
}
