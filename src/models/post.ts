// How a request gets to the endpoint. The `openai` client says where that is, with which headers, and what
// a refusal is. It is asked for address and headers once: but for the role they are the same in every
// call, and making them, a clock and a log entry anew costs more than the request itself.

import { APIConnectionError, APIError, type OpenAI } from "openai";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";

/** Rejects with an `APIError` when there is no good answer, or with what the client says of its settings. */
export type Post = (body: ChatCompletionCreateParamsStreaming, role: string, signal: AbortSignal) => Promise<Response>;

type Target = { readonly url: string; readonly headers: Readonly<Record<string, string>> };

export function postThrough(client: OpenAI, send: typeof fetch): Post {
  // Only a finished one is kept: a promise of one request must not be awaited by another.
  let known: Target | undefined;
  return async (body, role, signal) => {
    const { url, headers } = (known ??= await targetOf(client));
    const init = {
      method: "POST",
      headers: { ...headers, "x-orrery-role": role },
      body: JSON.stringify(body),
      signal,
    };
    const response = await send(url, init).catch((cause: unknown) => {
      throw new APIConnectionError({ cause: cause instanceof Error ? cause : undefined });
    });
    if (response.ok) return response;
    throw await refusalOf(response);
  };
}

async function targetOf(client: OpenAI): Promise<Target> {
  const { url, req } = await client.buildRequest({ method: "post", path: "/chat/completions", body: {} });
  return { url, headers: Object.fromEntries(req.headers) };
}

/** The error that the client would make of it. */
async function refusalOf(response: Response): Promise<APIError> {
  const text = await response.text().catch(() => "");
  let body: object | undefined;
  try {
    body = JSON.parse(text) as object;
  } catch {
    // Not every endpoint, and no gateway, words its refusals in JSON.
  }
  return APIError.generate(response.status, body, body === undefined ? text : undefined, response.headers);
}
