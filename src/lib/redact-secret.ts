// Removal of a secret from a text or a streamed response.
//
// Each stream owns a short tail of text that it holds back: the longest suffix that may be the beginning of the secret.
// Invariant: no form of the secret is enqueued, even if the secret is split across chunks.
// All other text passes without delay. The tail is flushed at the end of the stream.

/** Shorter values are not treated as secrets, because they may occur in ordinary text. */
const MIN_SECRET_CHARS = 8;
const REPLACEMENT = "[key]";

/**
 * Returns a copy of the response whose body, read as UTF-8, has `[key]` in place of the secret: plain, escaped in JSON,
 * and percent-encoded. Headers stay. Returns the response itself if it has no body or the secret is shorter than
 * MIN_SECRET_CHARS.
 */
export function redactSecret(response: Response, secret: string): Response {
  if (response.body === null || secret.length < MIN_SECRET_CHARS) return response;
  const forms = listSecretForms(secret);
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let tail = "";
  const redaction = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      const text = replaceForms(forms, tail + decoder.decode(piece, { stream: true }));
      const end = findPartialForm(forms, text);
      tail = text.slice(end);
      if (end > 0) controller.enqueue(encoder.encode(text.slice(0, end)));
    },
    flush: (controller) => controller.enqueue(encoder.encode(tail + decoder.decode())),
  });
  return new Response(response.body.pipeThrough(redaction), response);
}

/** Returns the text with `[key]` in place of the secret, in the same forms and with the same minimum length. */
export function redactSecretInText(text: string, secret: string): string {
  return secret.length < MIN_SECRET_CHARS ? text : replaceForms(listSecretForms(secret), text);
}

/** Lists the forms of a secret: plain, in JSON (with and without escaped slashes), and percent-encoded. */
function listSecretForms(secret: string): readonly string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [...new Set([secret, inJson, inJson.replaceAll("/", String.raw`\/`), encodeURIComponent(secret)])];
}

function replaceForms(forms: readonly string[], text: string): string {
  return forms.reduce((rest, form) => rest.replaceAll(form, REPLACEMENT), text);
}

/** Returns the index of the longest suffix that is a prefix of a form; the length of the text if there is none. */
function findPartialForm(forms: readonly string[], text: string): number {
  const longest = Math.max(...forms.map((form) => form.length));
  for (let start = Math.max(0, text.length - longest + 1); start < text.length; start += 1) {
    const tail = text.slice(start);
    if (forms.some((form) => form.startsWith(tail))) return start;
  }
  return text.length;
}
