// The systems that agents call while the runtime is killed. They stay alive, execute each key once, and record every
// call.

import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import {
  SYSTEMS,
  getTools,
  type ToolData,
  type Records,
  type SystemName,
  type SystemTool,
} from "../../examples/onboarding/tools.ts";
import { randomBetween } from "../../test/support/random.ts";
import { readBody, listen } from "../../test/support/net.ts";

/** One call as a system received it. */
export type Call = {
  readonly tool: string;
  readonly args: ToolData;
  readonly key: string;
  readonly isReading: boolean;
  /** The number of kills before the call arrived. */
  readonly kills: number;
  readonly at: number;
  /** `repeated`: the key was executed before, and the call receives the stored result. */
  outcome: "under way" | "done" | "repeated" | "failed";
  /** True if the answer was sent before the calling process was killed. */
  isAnswered: boolean;
};

export type Systems = {
  /** Returns the URL of the MCP server of a system. */
  urlOf(system: string): string;
  /** Returns the calls that concern a subject: a run or an employee. */
  callsAbout(subject: string): readonly Call[];
  /** Lets the next `times` calls of an action fail (`Infinity`: all calls). */
  fail(subject: string, action: string, times: number): void;
  close(): Promise<void>;
};

/** The system of random plans: one action, identified by its job, and a tool that checks whether it was executed. */
const WORKS = "works";
const name = z.string().trim().min(1);
const carryOut: SystemTool = {
  description: "Carries out a job of a run.",
  parameters: z.object({ run: name, job: name }),
  isReading: false,
  run(args, records) {
    const { run, job } = args as { run: string; job: string };
    records.put(`${run}/${job.replace("L", "")}`, { run, job });
    return { success: true, made: `${run}/${job}` };
  },
};
/** The name of the tool that requires an approval. */
export const GRAVE = "carry_out_gravely";
const works: Readonly<Record<string, SystemTool>> = {
  carry_out: carryOut,
  [GRAVE]: carryOut,
  look_up: {
    description: "Looks whether a task of a run was carried out.",
    parameters: z.object({ run: name, task_id: name }),
    isReading: true,
    run(args, records) {
      const { run, task_id: task } = args as { run: string; task_id: string };
      return { success: records.get(`${run}/${task}`) !== undefined };
    },
  },
};

const KEY = "orrery/idempotency-key";
const MOST_DELAY_MS = 30;

export async function startSystems(random: () => number, kills: () => number): Promise<Systems> {
  const calls: Call[] = [];
  const failures = new Map<string, number>();
  const stores = new Map([...Object.keys(SYSTEMS), WORKS].map((system) => [system, newStore()]));

  const answer = async (system: string, tool: string, args: ToolData, key: string): Promise<ToolData> => {
    const named = must(toolsIn(system)[tool]);
    const { records, done } = must(stores.get(system));
    const born = kills();
    const { isReading } = named;
    const call: Call = {
      tool,
      args,
      key,
      isReading,
      kills: born,
      at: performance.now(),
      outcome: "under way",
      isAnswered: false,
    };
    calls.push(call);
    await sleep(randomBetween(random, 0, MOST_DELAY_MS));
    const known = done.get(key);
    const action = [...failures.keys()].find((each) => isOf(each, tool, args)) ?? "";
    const left = failures.get(action) ?? 0;
    if (known !== undefined) call.outcome = "repeated";
    else if (left > 0) {
      failures.set(action, left - 1);
      call.outcome = "failed";
    } else call.outcome = "done";
    const result = call.outcome === "done" ? named.run(args, records) : known;
    if (result !== undefined) done.set(key, result);
    await sleep(randomBetween(random, 0, MOST_DELAY_MS));
    call.isAnswered = kills() === born;
    if (result === undefined) throw new Error(`${tool}: the system is out of order`);
    return result;
  };

  const server = createServer((incoming, outgoing) => {
    const relay = async () => {
      const system = (incoming.url ?? "").slice(1);
      const body = await readBody(incoming);
      const headers = Object.entries(incoming.headers).flatMap(([header, value]) =>
        typeof value === "string" ? [[header, value] as [string, string]] : [],
      );
      const init = { method: incoming.method ?? "GET", headers, ...(body === "" ? {} : { body }) };
      const handler = createMcpHandler(() => serverOf(system, answer));
      const response = await handler.fetch(new Request(`http://127.0.0.1/${system}`, init));
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.end(await response.text());
    };
    relay().catch(() => outgoing.destroy());
  });
  const port = await listen(server);
  return {
    urlOf: (system) => `http://127.0.0.1:${port}/${system}`,
    callsAbout: (subject) => calls.filter(({ args }) => isAbout(args, subject)),
    fail: (subject, action, times) => void failures.set(JSON.stringify([subject, action]), times),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Answering = (system: string, tool: string, args: ToolData, key: string) => Promise<ToolData>;

function serverOf(system: string, answer: Answering): McpServer {
  const server = new McpServer({ name: system, version: "1.0.0" });
  for (const [tool, { description, parameters, isReading }] of Object.entries(toolsIn(system))) {
    const annotations = { readOnlyHint: isReading, destructiveHint: tool === GRAVE };
    server.registerTool(tool, { description, inputSchema: parameters, annotations }, async (args, { mcpReq }) => {
      try {
        const result = await answer(system, tool, args as ToolData, String(mcpReq._meta?.[KEY] ?? ""));
        return { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent: result };
      } catch (thrown) {
        return { content: [{ type: "text", text: String(thrown) }], isError: true };
      }
    });
  }
  return server;
}

function toolsIn(system: string): Readonly<Record<string, SystemTool>> {
  return system === WORKS ? works : getTools(system as SystemName);
}

function newStore(): { readonly records: Records; readonly done: Map<string, ToolData> } {
  const entries = new Map<string, ToolData>();
  let count = 0;
  const records: Records = {
    get: (id) => entries.get(id),
    put: (id, entry) => void entries.set(id, entry),
    all: () => [...entries.values()],
    next: () => ++count,
  };
  return { records, done: new Map() };
}

/** Returns true if a call concerns a subject: a run or an employee. */
function isAbout(args: ToolData, subject: string): boolean {
  return Object.values(args).some((value) => value === subject || value === `${subject}@company.com`);
}

function isOf(key: string, tool: string, args: ToolData): boolean {
  const [subject = "", action] = JSON.parse(key) as string[];
  return isAbout(args, subject) && (args["job"] ?? tool) === action;
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("There is no such system or tool.");
  return value;
}
