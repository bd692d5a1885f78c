// How a request gets to the endpoint, and what comes back where no answer does.

import { jsonIn } from "../protocol/json-text.ts";
import { asObject, asText } from "./chunk.ts";
import type { Params } from "./request.ts";

/** Rejects with `Unreached` or `Refused` when there is no good answer, and otherwise when the address or the key is none. */
export type Post = (body: Params, role: string, signal: AbortSignal) => Promise<Response>;

/** No answer came. */
export class Unreached extends Error {
  override readonly name = "Unreached";
}

/** The endpoint answered with a status that is no success. `message` is what it wrote. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly status: number;
  readonly headers: Headers;
  /** The endpoint's name for what is wrong, or "". */
  readonly code: string;

  constructor(answer: { status: number; headers: Headers; code: string; words: string }) {
    super(`${answer.status} ${answer.words}`);
    this.status = answer.status;
    this.headers = answer.headers;
    this.code = answer.code;
  }
}

/** Who refuses says why at once, or sends a page that nobody reads. */
const MOST_REFUSAL_CHARS = 64 * 1024;

type Target = { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** `baseUrl` is what chat completions stand below; its query goes along. */
export function postTo({ baseUrl, key }: { baseUrl: string; key: string }, send: typeof fetch): Post {
  // Not made before the first call: a wrong address must fail what needs it, and nothing else.
  let target: Target | undefined;
  return async (body, role, signal) => {
    const { url, headers } = (target ??= { url: addressBelow(baseUrl), headers: headersWith(key) });
    const init = {
      method: "POST",
      headers: { ...headers, "x-orrery-role": role },
      body: JSON.stringify(body),
      signal,
    };
    const response = await send(url, init).catch((cause: unknown) => {
      throw new Unreached("No answer came.", { cause });
    });
    if (response.ok) return response;
    throw await refusalOf(response);
  };
}

function addressBelow(baseUrl: string): string {
  const url = new URL(baseUrl);
  if (!/^https?:$/.test(url.protocol)) throw new TypeError(`${url.protocol} is no way to reach a model.`);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/chat/completions`;
  url.hash = "";
  return url.href;
}

/** Throws for a key that no header can carry. */
function headersWith(key: string): Readonly<Record<string, string>> {
  const headers = new Headers({
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    accept: "application/json",
    "user-agent": "orrery",
  });
  return Object.fromEntries(headers);
}

async function refusalOf(response: Response): Promise<Refused> {
  const { status, headers } = response;
  const text = await wordsOf(response).catch(() => "");
  const { error }: { readonly error?: unknown } = asObject(jsonIn(text)) ?? {};
  const { code, type, message }: Readonly<Partial<Record<"code" | "type" | "message", unknown>>> =
    asObject(error) ?? {};
  return new Refused({ status, headers, code: asText(code) || asText(type), words: asText(message) || text });
}

/** The beginning of a body; the rest is left. */
async function wordsOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  const pieces = body as AsyncIterable<Uint8Array> | null;
  let text = "";
  for await (const piece of pieces ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (text.length >= MOST_REFUSAL_CHARS) break;
  }
  return text;
}
