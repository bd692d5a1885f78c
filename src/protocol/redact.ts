/** What is shorter is no secret, and may stand in words that mean something else. */
const MIN_CHARS = 8;
const INSTEAD = "[key]";

/** An answer without the secret that its request carried, wherever the line cuts it. Nothing else is held up. */
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

/** As it is, and as it stands in JSON and in addresses. */
function formsOf(secret: string): readonly string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [...new Set([secret, inJson, inJson.replaceAll("/", String.raw`\/`), encodeURIComponent(secret)])];
}

function without(forms: readonly string[], text: string): string {
  return forms.reduce((rest, form) => rest.replaceAll(form, INSTEAD), text);
}

/** Where at the end of a text the secret may begin; the end itself where it does not. */
function startOf(forms: readonly string[], text: string): number {
  const longest = Math.max(...forms.map((form) => form.length));
  for (let start = Math.max(0, text.length - longest + 1); start < text.length; start += 1) {
    const tail = text.slice(start);
    if (forms.some((form) => form.startsWith(tail))) return start;
  }
  return text.length;
}
