// One chat completion over plain `fetch`, read in the cheapest way that was found on this platform: the
// first token at once, everything after it in pieces of at least 1 KiB.

export type ModelEnv = {
  readonly OPENAI_BASE_URL: string;
  readonly OPENAI_API_KEY: string;
  /** By role, how many bytes of instructions and tools its calls carry: JSON. */
  readonly PROMPT_BYTES: string;
};

export type Message = { readonly role: "user" | "assistant"; readonly content: string };
export type Answer = { readonly text: string; readonly call: string; readonly tokens: number };

type Chunk = {
  readonly choices: readonly {
    readonly delta: {
      readonly content?: string;
      readonly tool_calls?: readonly { readonly function: { readonly arguments?: string } }[];
    };
  }[];
  readonly usage?: { readonly total_tokens: number } | null;
};

const PIECE_BYTES = 1024;
const BUFFER_BYTES = 16_384;

/** Asks the model. `hear` gets the text of each piece that was read. */
export async function ask(
  env: ModelEnv,
  role: string,
  messages: readonly Message[],
  hear: (text: string) => void,
): Promise<Answer> {
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
      messages: [{ role: "system", content: promptOf(env, role) }, ...messages],
    }),
  });
  if (!response.ok || response.body === null) throw new Error(`The model answered ${response.status}`);
  const reader = response.body.getReader({ mode: "byob" });
  const utf8 = new TextDecoder();
  let buffer = new Uint8Array(BUFFER_BYTES);
  let minimum = 1;
  let rest = "";
  let answer: Answer = { text: "", call: "", tokens: 0 };
  for (;;) {
    const { done, value } = await reader.readAtLeast(minimum, buffer);
    if (done) return answer;
    const lines = (rest + utf8.decode(value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    buffer = new Uint8Array(value.buffer);
    const piece = textOf(lines);
    answer = { text: answer.text + piece.text, call: answer.call + piece.call, tokens: answer.tokens + piece.tokens };
    if (piece.text === "") continue;
    minimum = PIECE_BYTES;
    hear(piece.text);
  }
}

function textOf(lines: readonly string[]): Answer {
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

function promptOf({ PROMPT_BYTES }: ModelEnv, role: string): string {
  let prompt = prompts.get(role);
  if (prompt === undefined) {
    const sizes = JSON.parse(PROMPT_BYTES) as Record<string, number>;
    prompts.set(role, (prompt = "Instructions. ".repeat(10_000).slice(0, sizes[role] ?? 0)));
  }
  return prompt;
}
