// [F89] Requests with random faults, through every interface: none is a fault of the server, none hangs, each error has
// the form of its protocol, and the server still works afterwards.
//
// `HOSTILE_SEED=7` sends other requests. A problem names the number of its request and all that was changed in it.

import { Agent } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { computeMaxCommandSize, DEFAULT_MAX_MESSAGE_BYTES } from "../../../src/protocol/wire/commands.ts";
import { SECRET, signToken } from "../../http/tokens.ts";
import {
  mutateRequest,
  toSentRequest,
  type SentRequest,
  type ValidRequest,
} from "../../support/hostile/mutate-request.ts";
import { createOAuthRequests, signIn } from "../../support/hostile/oauth-requests.ts";
import { findResponseProblem, MAX_RESPONSE_MS, sendRequest } from "../../support/hostile/send-request.ts";
import {
  createApiRequests,
  createProtocolRequests,
  type OpenApiDocument,
} from "../../support/hostile/valid-requests.ts";
import { createRandom } from "../../support/random.ts";
import { pickByLength } from "../../support/run-length.ts";
import { shareRuntime } from "../../support/shared-runtime.ts";
import { startSeededRuntime, type SeededRuntime, type ViewPaths } from "../../web/browser/seeded-runtime.ts";

const REQUESTS = pickByLength(300, 20_000);
const SEED = Number(process.env["HOSTILE_SEED"] ?? 41);
const OAUTH_REQUESTS = pickByLength(60, 3_000);
const CONCURRENCY = 8;
/** A larger body is refused before its end. Then the connection may break before the client reads the refusal. */
const LARGE_BYTES = computeMaxCommandSize(DEFAULT_MAX_MESSAGE_BYTES);

let seeded: SeededRuntime;
let valid: readonly ValidRequest[];
const agent = new Agent({ keepAlive: true, maxSockets: 32 });

beforeAll(async () => {
  seeded = await startSeededRuntime({ hasNoRequestLimit: true });
  const { user, viewPaths } = seeded;
  const csv = { "content-type": "text/csv" };
  const dataset = await fetch(`${seeded.runtime.url}/api/v1/datasets?name=scores`, {
    method: "POST",
    headers: csv,
    body: "class,score\nA,1\n",
  });
  const { dataset_id } = (await dataset.json()) as { dataset_id: string };
  const { conversationId, threadId } = await user.sendAndWait("hello");
  const getId = (view: keyof ViewPaths) => viewPaths[view].split("/").at(-1) ?? "";
  const tasks = await user.get<{ tasks: { task_id: string }[] }>(
    `/api/v1/conversations/${getId("conversation")}/tasks`,
  );
  const ids = {
    "/api/v1/conversations": conversationId,
    "/api/v1/tasks": tasks.tasks[0]?.task_id ?? "",
    "/api/v1/schedules": getId("schedule"),
    "/api/v1/agents": "assistant",
    "/api/v1/tools": getId("tool"),
    "/api/v1/pages": getId("page"),
    "/api/v1/datasets": dataset_id,
    "/api/v1/plan-templates": getId("template"),
    "/api/v1/plan-instances": getId("instance"),
    "/v1/models": "orrery",
    "/a2a": "assistant",
  };
  const document = await user.get<OpenApiDocument>("/openapi.json");
  valid = [...createApiRequests(document, ids), ...createProtocolRequests(ids, `${conversationId}.${threadId}`)];
});
afterAll(async () => {
  agent.destroy();
  await seeded.runtime.stop();
});

/** Sends the request and returns what is wrong with its response. One that is late may be so because the machine is busy. */
async function findProblem(url: string, request: SentRequest, attempts = 2): Promise<string | null> {
  try {
    return findResponseProblem(request, await sendRequest(url, agent, request));
  } catch (thrown) {
    if (attempts > 1) return findProblem(url, request, attempts - 1);
    return isRefusedUpload(request, thrown) ? null : String(thrown);
  }
}

function isRefusedUpload({ body }: SentRequest, thrown: unknown): boolean {
  const { code = "" } = thrown as { readonly code?: string };
  return ["EPIPE", "ECONNRESET"].includes(code) && (body?.length ?? 0) > LARGE_BYTES;
}

/** Sends all requests, some at a time. Resolves with the problems of the responses. */
async function findProblems(url: string, requests: Iterable<SentRequest>): Promise<string[]> {
  const problems: string[] = [];
  const queue = requests[Symbol.iterator]();
  const sendNext = async (): Promise<void> => {
    for (let next = queue.next(); next.done !== true; next = queue.next()) {
      const problem = await findProblem(url, next.value);
      if (problem !== null) problems.push(`${next.value.name}, ${next.value.change}: ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sendNext));
  return problems;
}

function* createRequests(from: readonly ValidRequest[], count: number): Generator<SentRequest> {
  for (let i = 0; i < count; i += 1) {
    const request = mutateRequest(from[i % from.length] as ValidRequest, createRandom(SEED * 1_000_003 + i));
    yield { ...request, name: `${i}: ${request.name}` };
  }
}

test(
  `[F89] ${REQUESTS} requests with random faults get valid responses, and the server still works`,
  async () => {
    const { url } = seeded.runtime;
    expect(await findProblems(url, valid.map(toSentRequest))).toEqual([]);
    expect(await findProblems(url, createRequests(valid, REQUESTS))).toEqual([]);
    expect(await findProblems(url, valid.map(toSentRequest))).toEqual([]);
    expect((await seeded.user.sendAndWait("What is 12 * 34?")).frames.at(-1)).toMatchObject({ event: "done" });
  },
  60_000 + REQUESTS * 100,
);

test(
  `[F89] ${OAUTH_REQUESTS} OAuth requests with random faults get valid responses, and people can still sign in`,
  async () => {
    const { url } = await shareRuntime({ vars: { AUTH_SECRET: SECRET }, hasNoRequestLimit: true });
    const token = await signToken({ sub: "ada" });
    const requests = createOAuthRequests(await signIn(url, token), token);
    expect(await findProblems(url, requests.map(toSentRequest))).toEqual([]);
    expect(await findProblems(url, createRequests(requests, OAUTH_REQUESTS))).toEqual([]);
    expect((await signIn(url, token)).accessToken).not.toBe("");
  },
  60_000 + OAUTH_REQUESTS * 100,
);

test.each(["/agui", "/mcp", "/a2a", "/a2a/message:send", "/v1/chat/completions", "/v1/responses", "/api/v1/messages"])(
  "[F89] an endless body at %s is refused before its end",
  async (path) => {
    expect(await sendEndlessBody(path)).toBeLessThan(64);
  },
);

/** Sends 100 MB without a content length. Resolves with the number of megabytes that were read before the response. */
async function sendEndlessBody(path: string): Promise<number> {
  let megabytes = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      megabytes += 1;
      if (megabytes > 100) return controller.close();
      controller.enqueue(new Uint8Array(1_024 * 1_024).fill(32));
    },
  });
  const headers = { "content-type": "application/json", "a2a-version": "1.0" };
  const init = { method: "POST", headers, body, duplex: "half", signal: AbortSignal.timeout(4 * MAX_RESPONSE_MS) };
  const response = await fetch(seeded.runtime.url + path, init as RequestInit).catch(() => null);
  // Without a response, the server has closed the connection during the upload.
  if (response !== null) expect(await response.text()).toContain("too large");
  return megabytes;
}
