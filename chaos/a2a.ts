// A minimal A2A client: single requests, the stream of a task, and the state that a client displays.

export type Part = { readonly text?: string; readonly data?: unknown };
export type Artifact = { readonly artifactId: string; readonly parts: readonly Part[] };
export type Task = {
  readonly id: string;
  readonly contextId: string;
  readonly status: { readonly state: string };
  readonly artifacts?: readonly Artifact[];
};
/** One event of a stream. */
export type Told = {
  readonly task?: Task;
  readonly statusUpdate?: { readonly taskId: string; readonly status: { readonly state: string } };
  readonly artifactUpdate?: { readonly artifact: Artifact; readonly append?: boolean };
};
export type Refused = { readonly code: number; readonly message: string };
export type Answer<T> = { readonly result: T; readonly error?: undefined } | { readonly error: Refused };

/** JSON-RPC error codes that are acceptable for a task that has ended. */
export const NOT_CANCELABLE = -32_002;
export const UNSUPPORTED = -32_004;

const ENDS: ReadonlySet<string> = new Set(["TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_CANCELED"]);
export const ASKS = "TASK_STATE_INPUT_REQUIRED";

export function isEnd(state: string): boolean {
  return ENDS.has(state);
}

/** Sends one request. Rejects if the connection fails or breaks off. */
export async function call<T>(url: string, method: string, params: object): Promise<Answer<T>> {
  return (await (await post(url, method, params)).json()) as Answer<T>;
}

/** Yields the events of a stream until it ends. Throws if it breaks off. An error response is the only event. */
export async function* stream(url: string, method: string, params: object): AsyncGenerator<Answer<Told>> {
  const response = await post(url, method, params);
  if (response.headers.get("content-type")?.startsWith("text/event-stream") !== true) {
    yield (await response.json()) as Answer<Told>;
    return;
  }
  let rest = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const events = (rest + chunk).split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const data = event.split("\n").find((line) => line.startsWith("data: "));
      if (data !== undefined) yield JSON.parse(data.slice("data: ".length)) as Answer<Told>;
    }
  }
}

function post(url: string, method: string, params: object): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", "a2a-version": "1.0" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
}

/** The state that a client displays: the state of the task and the text of each artifact, by id. */
export type Screen = { readonly state: string; readonly artifacts: ReadonlyMap<string, string> };

export const BLANK: Screen = { state: "", artifacts: new Map() };

export function screenOf({ status, artifacts = [] }: Task): Screen {
  return { state: status.state, artifacts: new Map(artifacts.map((one) => [one.artifactId, textOf(one)])) };
}

export function shown(screen: Screen, { task, statusUpdate, artifactUpdate }: Told): Screen {
  if (task !== undefined) return screenOf(task);
  if (statusUpdate !== undefined) return { ...screen, state: statusUpdate.status.state };
  if (artifactUpdate === undefined) return screen;
  const { artifact, append = false } = artifactUpdate;
  const { artifactId: id } = artifact;
  const before = append ? (screen.artifacts.get(id) ?? "") : "";
  return { ...screen, artifacts: new Map([...screen.artifacts, [id, before + textOf(artifact)]]) };
}

/** Formats a screen for comparison. Omits empty artifacts: A2A cannot remove an artifact, only empty it. */
export function readable({ state, artifacts }: Screen): string {
  const texts = [...artifacts].filter(([, text]) => text !== "");
  return JSON.stringify({ state, texts: texts.toSorted(([a], [b]) => (a < b ? -1 : 1)) });
}

function textOf({ parts }: Artifact): string {
  return parts.map(({ text, data }) => text ?? JSON.stringify(data)).join("");
}
