// The HTTP calls that clients need beside the socket. Everything answered is validated.

import { agentSchema, type Agent } from "../protocol/agent.ts";
import {
  agentsSchema,
  conversationPageSchema,
  schedulePageSchema,
  ticketSchema,
  type ConversationPage,
  type SchedulePage,
} from "../protocol/answers.ts";
import { executedSchema, type AppInput, type ExecuteInput, type Executed } from "../protocol/app.ts";
import { conversationSchema, type Conversation } from "../protocol/conversation.ts";
import {
  datasetRowsSchema,
  datasetSchema,
  datasetsSchema,
  queryResultSchema,
  type Dataset,
  type DatasetQuery,
  type DatasetRows,
  type DatasetSummary,
  type NewDataset,
  type QueryResult,
} from "../protocol/dataset.ts";
import { pagesBehind, type Pages } from "./pages.ts";
import { Fault, problemSchema } from "../protocol/fault.ts";
import {
  instancePageSchema,
  planInstanceSchema,
  startedInstanceSchema,
  type InstancePage,
  type PlanInstance,
  type ResumeInstance,
  type StartedInstance,
  type StartInstance,
} from "../protocol/plan-instance.ts";
import {
  keptPlanTemplateSchema,
  planTemplatePageSchema,
  planTemplateSchema,
  planVersionsSchema,
  type KeptPlanTemplate,
  type PlanInput,
  type PlanTemplate,
  type PlanTemplatePage,
  type PlanVersions,
  type TemplateStatus,
} from "../protocol/plan-template.ts";
import {
  runResultsSchema,
  scheduleSchema,
  updatedScheduleSchema,
  type RunResults,
  type Schedule,
  type UpdatedSchedule,
  type UpdateSchedule,
} from "../protocol/recurring.ts";
import {
  toolPageSchema,
  toolWithVersionsSchema,
  type ToolCategory,
  type ToolPage,
  type ToolWithVersions,
} from "../protocol/tools.ts";

/** A bearer token, or where to get a fresh one. */
export type Token = string | (() => string | Promise<string>);

export type ApiOptions = {
  /** Where the server is, with or without a trailing slash: `https://orrery.example`. */
  readonly url: string;
  readonly token?: Token | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
};

/** Every method rejects with a `Fault`: the server's own problem, or `unavailable` when it cannot be reached. */
export type Api = Pages & {
  createConversation(input?: { title?: string }): Promise<Conversation>;
  listConversations(page?: { limit?: number; cursor?: string }): Promise<ConversationPage>;
  conversation(id: string): Promise<Conversation>;
  renameConversation(id: string, title: string): Promise<Conversation>;
  deleteConversation(id: string): Promise<void>;
  listSchedules(page?: { limit?: number; cursor?: string }): Promise<SchedulePage>;
  schedule(id: string): Promise<Schedule>;
  updateSchedule(id: string, patch: UpdateSchedule): Promise<UpdatedSchedule>;
  deleteSchedule(id: string): Promise<void>;
  /** Runs it now, besides its times. What comes of it is told on the socket of its conversation. */
  runSchedule(id: string): Promise<void>;
  runResults(id: string, page?: { limit?: number; before?: number }): Promise<RunResults>;
  /** The newest first; those that match `q`, the best first. */
  listTools(page?: { q?: string; category?: ToolCategory; limit?: number; cursor?: string }): Promise<ToolPage>;
  /** As it is, or as an older version of it was. */
  tool(name: string, version?: number): Promise<ToolWithVersions>;
  deleteTool(name: string): Promise<void>;
  /** Keeps a table: the text of a CSV, its file, or JSON. One that cannot be read is `unprocessable`, with line and column. */
  createDataset(table: string | Blob | readonly object[], options?: NewDataset): Promise<Dataset>;
  /** The newest first. */
  listDatasets(): Promise<DatasetSummary[]>;
  dataset(id: string): Promise<Dataset>;
  datasetRows(id: string, page?: { limit?: number; cursor?: string }): Promise<DatasetRows>;
  /** `unprocessable` with the nearest names for what is not there. */
  queryDataset(id: string, query?: Omit<DatasetQuery, "dataset">): Promise<QueryResult>;
  /** For spreadsheets. */
  datasetCsv(id: string): Promise<string>;
  renameDataset(id: string, name: string): Promise<Dataset>;
  deleteDataset(id: string): Promise<void>;
  /** The classroom to try things out with. */
  loadSample(): Promise<DatasetSummary[]>;
  /** Keeps a plan. `unprocessable` with all `problems` when it cannot be one. */
  createPlanTemplate(config: PlanInput & { status?: "draft" | "released" }): Promise<KeptPlanTemplate>;
  listPlanTemplates(page?: {
    status?: TemplateStatus;
    search?: string;
    limit?: number;
    cursor?: string;
  }): Promise<PlanTemplatePage>;
  planTemplate(id: string, version?: number): Promise<PlanTemplate>;
  planTemplateVersions(id: string): Promise<PlanVersions>;
  /** `version` is the one that it is based on; `conflict` with `current_version` when another is current. */
  updatePlanTemplate(id: string, config: PlanInput & { version: number }): Promise<KeptPlanTemplate>;
  setPlanTemplateStatus(id: string, status: TemplateStatus): Promise<PlanTemplate>;
  /** Archives it. */
  deletePlanTemplate(id: string): Promise<void>;
  /** `id` is the command's: the same one starts one instance. */
  startPlanInstance(planId: string, start?: Partial<StartInstance> & { id?: string }): Promise<StartedInstance>;
  listPlanInstances(page?: { plan_id?: string; limit?: number; cursor?: string }): Promise<InstancePage>;
  planInstance(id: string): Promise<PlanInstance>;
  /** Tries again what holds it. `conflict` when nothing does. */
  resumePlanInstance(id: string, resume?: Partial<ResumeInstance> & { id?: string }): Promise<StartedInstance>;
  cancelPlanInstance(id: string): Promise<PlanInstance>;
  agents(): Promise<Agent[]>;
  /** By the URL of its card, or as a configuration. */
  registerAgent(agent: { url: string } | AppInput): Promise<Agent>;
  removeAgent(name: string): Promise<void>;
  /** Asks an agent for one thing, without a conversation. */
  execute(name: string, request: ExecuteInput): Promise<Executed>;
  /** A single-use key to one conversation's socket, for where headers cannot be set. */
  ticket(conversationId: string): Promise<string>;
};

export function createApi(options: ApiOptions): Api {
  const door = doorOf(options);
  const call = (method: string, path: string, body?: unknown, type?: string) =>
    door.call(method, `/v1${path}`, body, type);
  const at = (id: string) => `/conversations/${encodeURIComponent(id)}`;
  const ofAgent = (name: string) => `/agents/${encodeURIComponent(name)}`;
  const ofSchedule = (id: string) => `/schedules/${encodeURIComponent(id)}`;
  const ofDataset = (id: string) => `/datasets/${encodeURIComponent(id)}`;
  const ofTemplate = (id: string) => `/plan-templates/${encodeURIComponent(id)}`;
  const ofInstance = (id: string) => `/plan-instances/${encodeURIComponent(id)}`;
  const ofTool = (name: string) => `/tools/${encodeURIComponent(name)}`;
  return {
    ...pagesBehind(door),
    createConversation: async (input = {}) => conversationSchema.parse(await call("POST", "/conversations", input)),
    listConversations: async (page = {}) =>
      conversationPageSchema.parse(await call("GET", `/conversations${queryOf(page)}`)),
    conversation: async (id) => conversationSchema.parse(await call("GET", at(id))),
    renameConversation: async (id, title) => conversationSchema.parse(await call("PATCH", at(id), { title })),
    deleteConversation: async (id) => void (await call("DELETE", at(id))),
    listSchedules: async (page = {}) => schedulePageSchema.parse(await call("GET", `/schedules${queryOf(page)}`)),
    schedule: async (id) => scheduleSchema.parse(await call("GET", ofSchedule(id))),
    updateSchedule: async (id, patch) => updatedScheduleSchema.parse(await call("PATCH", ofSchedule(id), patch)),
    deleteSchedule: async (id) => void (await call("DELETE", ofSchedule(id))),
    runSchedule: async (id) => void (await call("POST", `${ofSchedule(id)}/run`)),
    runResults: async (id, page = {}) =>
      runResultsSchema.parse(await call("GET", `${ofSchedule(id)}/results${queryOf(page)}`)),
    listTools: async (page = {}) => toolPageSchema.parse(await call("GET", `/tools${queryOf(page)}`)),
    tool: async (name, version) =>
      toolWithVersionsSchema.parse(
        await call("GET", `${ofTool(name)}${queryOf(version === undefined ? {} : { version })}`),
      ),
    deleteTool: async (name) => void (await call("DELETE", ofTool(name))),
    createDataset: async (table, options = {}) => {
      const isCsv = typeof table === "string" || (table instanceof Blob && !/json/.test(table.type));
      const type = isCsv ? "text/csv" : "application/json";
      return datasetSchema.parse(await call("POST", `/datasets${queryOf(options)}`, table, type));
    },
    listDatasets: async () => datasetsSchema.parse(await call("GET", "/datasets")).datasets,
    dataset: async (id) => datasetSchema.parse(await call("GET", ofDataset(id))),
    datasetRows: async (id, page = {}) =>
      datasetRowsSchema.parse(await call("GET", `${ofDataset(id)}/rows${queryOf(page)}`)),
    queryDataset: async (id, query = {}) =>
      queryResultSchema.parse(await call("POST", `${ofDataset(id)}/query`, query)),
    datasetCsv: async (id) => String(await call("GET", `${ofDataset(id)}.csv`)),
    renameDataset: async (id, name) => datasetSchema.parse(await call("PATCH", ofDataset(id), { name })),
    deleteDataset: async (id) => void (await call("DELETE", ofDataset(id))),
    loadSample: async () => datasetsSchema.parse(await call("POST", "/datasets/sample")).datasets,
    createPlanTemplate: async (config) => keptPlanTemplateSchema.parse(await call("POST", "/plan-templates", config)),
    listPlanTemplates: async (page = {}) =>
      planTemplatePageSchema.parse(await call("GET", `/plan-templates${queryOf(page)}`)),
    planTemplate: async (id, version) =>
      planTemplateSchema.parse(
        await call("GET", `${ofTemplate(id)}${queryOf(version === undefined ? {} : { version })}`),
      ),
    planTemplateVersions: async (id) => planVersionsSchema.parse(await call("GET", `${ofTemplate(id)}/versions`)),
    updatePlanTemplate: async (id, config) => keptPlanTemplateSchema.parse(await call("PUT", ofTemplate(id), config)),
    setPlanTemplateStatus: async (id, status) =>
      planTemplateSchema.parse(await call("PATCH", ofTemplate(id), { status })),
    deletePlanTemplate: async (id) => void (await call("DELETE", ofTemplate(id))),
    startPlanInstance: async (id, start = {}) =>
      startedInstanceSchema.parse(await call("POST", `${ofTemplate(id)}/instances`, start)),
    listPlanInstances: async (page = {}) =>
      instancePageSchema.parse(await call("GET", `/plan-instances${queryOf(page)}`)),
    planInstance: async (id) => planInstanceSchema.parse(await call("GET", ofInstance(id))),
    resumePlanInstance: async (id, resume = {}) =>
      startedInstanceSchema.parse(await call("POST", `${ofInstance(id)}/resume`, resume)),
    cancelPlanInstance: async (id) => planInstanceSchema.parse(await call("POST", `${ofInstance(id)}/cancel`)),
    agents: async () => agentsSchema.parse(await call("GET", "/agents")).agents,
    registerAgent: async (agent) => agentSchema.parse(await call("POST", "/agents", agent)),
    removeAgent: async (name) => void (await call("DELETE", ofAgent(name))),
    execute: async (name, request) => executedSchema.parse(await call("POST", `${ofAgent(name)}/execute`, request)),
    ticket: async (id) => ticketSchema.parse(await call("POST", "/tickets", { conversation_id: id })).ticket,
  };
}

function queryOf(page: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const given = Object.entries(page).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return query.size === 0 ? "" : `?${query.toString()}`;
}

function doorOf({ url, token, fetch = globalThis.fetch }: ApiOptions) {
  const base = `${url.replace(/\/+$/, "")}/api`;
  /** A body that is text or a file already is sent as it is. */
  const open = async (method: string, path: string, body?: unknown, type = "application/json"): Promise<Response> => {
    const bearer = typeof token === "function" ? await token() : token;
    const headers = new Headers({ accept: "application/json" });
    if (bearer !== undefined) headers.set("authorization", `Bearer ${bearer}`);
    if (body !== undefined) headers.set("content-type", type);
    const raw = typeof body === "string" || body instanceof Blob ? body : JSON.stringify(body);
    let response: Response;
    try {
      response = await fetch(base + path, { method, headers, ...(body === undefined ? {} : { body: raw }) });
    } catch (cause) {
      throw new Fault("unavailable", `${url} cannot be reached.`, { cause });
    }
    if (response.ok) return response;
    throw faultOf(response.status, await response.json().catch(() => null));
  };
  const call = async (method: string, path: string, body?: unknown, type?: string): Promise<unknown> => {
    const response = await open(method, path, body, type);
    if (response.headers.get("content-type")?.startsWith("text/") === true) return response.text();
    return response.json().catch(() => null);
  };
  return { open, call };
}

/** A proxy in between may answer in its own words: then the status alone decides. */
function faultOf(status: number, answer: unknown): Fault {
  const problem = problemSchema.safeParse(answer).data;
  if (problem !== undefined) {
    const { type: _, title: __, status: ___, code, detail: words, ...detail } = problem;
    return new Fault(code, words, detail);
  }
  if (status === 401) return new Fault("unauthorized", "The server wants a valid token.");
  if (status === 404) return new Fault("not_found", "There is no such thing on the server.");
  return new Fault(status < 500 ? "invalid_request" : "unavailable", `The server answered with status ${status}.`);
}
