// A chat completion over plain `fetch`, read in the cheapest way found on this platform: the first token at once, the
// rest in reads of at least 1 KiB.

export type ModelEnv = {
  readonly OPENAI_BASE_URL: string;
  readonly OPENAI_API_KEY: string;
  /** JSON object: the bytes of instructions and tools in the calls of each role. */
  readonly PROMPT_BYTES: string;
};

export type Message = { readonly role: "user" | "assistant"; readonly content: string };
export type Completion = { readonly text: string; readonly call: string; readonly tokens: number };

type Chunk = {
  readonly choices: readonly {
    readonly delta: {
      readonly content?: string;
      readonly tool_calls?: readonly { readonly function: { readonly arguments?: string } }[];
    };
  }[];
  readonly usage?: { readonly total_tokens: number } | null;
};

const MIN_READ_BYTES = 1024;
const BUFFER_BYTES = 16_384;

/** Calls the model. `onText` receives the text of each read. */
export async function completeChat(
  env: ModelEnv,
  role: string,
  messages: readonly Message[],
  onText: (text: string) => void,
): Promise<Completion> {
  const response = await fetch(`${env.OPENAI_BASE_URL}/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${env.OPENAI_API_KEY}`,
      "content-type": "application/json",
      "x-orrery-role": role,
    },
    body: JSON.stringify({
      model: "bench",
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: "system", content: getPrompt(env, role) }, ...messages],
    }),
  });
  if (!response.ok || response.body === null) throw new Error(`The model server responded with ${response.status}`);
  const reader = response.body.getReader({ mode: "byob" });
  const utf8 = new TextDecoder();
  let buffer = new Uint8Array(BUFFER_BYTES);
  let minimum = 1;
  let rest = "";
  let completion: Completion = { text: "", call: "", tokens: 0 };
  for (;;) {
    const { done, value } = await reader.readAtLeast(minimum, buffer);
    if (done) return completion;
    const lines = (rest + utf8.decode(value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    buffer = new Uint8Array(value.buffer);
    const chunk = parseLines(lines);
    completion = {
      text: completion.text + chunk.text,
      call: completion.call + chunk.call,
      tokens: completion.tokens + chunk.tokens,
    };
    if (chunk.text === "") continue;
    minimum = MIN_READ_BYTES;
    onText(chunk.text);
  }
}

function parseLines(lines: readonly string[]): Completion {
  let text = "";
  let call = "";
  let tokens = 0;
  for (const line of lines) {
    if (!line.startsWith("data: ") || line === "data: [DONE]") continue;
    const { choices, usage } = JSON.parse(line.slice(6)) as Chunk;
    const delta = choices[0]?.delta;
    text += delta?.content ?? "";
    call += delta?.tool_calls?.[0]?.function.arguments ?? "";
    tokens += usage?.total_tokens ?? 0;
  }
  return { text, call, tokens };
}

const prompts = new Map<string, string>();

function getPrompt({ PROMPT_BYTES }: ModelEnv, role: string): string {
  let prompt = prompts.get(role);
  if (prompt === undefined) {
    const sizes = JSON.parse(PROMPT_BYTES) as Record<string, number>;
    prompts.set(role, (prompt = "Instructions. ".repeat(10_000).slice(0, sizes[role] ?? 0)));
  }
  return prompt;
}
