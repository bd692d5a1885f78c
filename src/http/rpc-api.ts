// The RPC interface for other Workers. `rpc.ts` implements it.
//
// Every method returns a `Result` and does not reject for faults. `user` is the user id that the caller acts for; the
// caller is trusted, because it holds the binding. Methods with a `commandId` execute a repeated command once (T2).
// Streams are JSON lines; cancelling a stream of frames does not stop the work.

import type { Accepted, Page, Result } from "../durable/api.ts";
import type { Agent } from "../protocol/agent.ts";
import type { AnalysisInput, AnalysisReply, PageInput, WorkflowInput, WorkflowReply } from "../protocol/analysis.ts";
import type { AppInput, ExecuteInput, Executed } from "../protocol/app.ts";
import type { Credentials } from "../protocol/credentials.ts";
import type { ConversationPage } from "../protocol/answers.ts";
import type { Cancel, Resume, Send } from "../protocol/commands.ts";
import type { Conversation, CreateConversation, UpdateConversation } from "../protocol/conversation.ts";
import type {
  Dataset,
  DatasetQuery,
  DatasetRows,
  Datasets,
  NewDataset,
  QueryResult,
  UpdateDataset,
} from "../protocol/dataset.ts";
import type { Frame } from "../protocol/events.ts";
import type { Item } from "../protocol/items.ts";
import type {
  InstancePage,
  PlanInstance,
  ResumeInstance,
  StartedInstance,
  StartInstance,
} from "../protocol/plan-instance.ts";
import type {
  KeptPlanTemplate,
  PlanInput,
  PlanTemplate,
  PlanTemplatePage,
  PlanVersions,
  TemplateStatus,
} from "../protocol/plan-template.ts";
import type { Plan, Task, TaskStatus } from "../protocol/plan.ts";
import type { KeptPage, PageLink, PageList, PageSummary } from "../protocol/pages.ts";
import type { Context } from "../protocol/question.ts";
import type { RunResults, Schedule, SchedulePage, UpdatedSchedule, UpdateSchedule } from "../protocol/recurring.ts";
import type { ToolCategory, ToolPage, ToolWithVersions } from "../protocol/tools.ts";

/** A table file as text or bytes. */
export type TableFile = { readonly type: "csv" | "json"; readonly content: string | Uint8Array };

/** The methods of the `Orrery` entrypoint. `user` is the user id that the caller acts for. */
export type OrreryApi = {
  createConversation(user: string, options?: CreateConversation): Promise<Result<Conversation>>;
  /** Lists newest first. `q`: titles that contain all its words. `top`: only conversations that a person started. */
  listConversations(
    user: string,
    options?: { limit?: number; cursor?: string; q?: string; top?: boolean },
  ): Promise<Result<ConversationPage>>;
  readConversation(user: string, conversation: string): Promise<Result<Conversation>>;
  updateConversation(user: string, conversation: string, patch: UpdateConversation): Promise<Result<Conversation>>;
  deleteConversation(user: string, conversation: string): Promise<Result<{ conversation_id: string; deleted: true }>>;
  /** Sends to a conversation, or to a new one if it is null. */
  send(user: string, conversation: string | null, message: Send, commandId?: string): Promise<Result<Accepted>>;
  /** Like `send`, but streams the thread as lines of frames, up to its `done` or to a question. */
  ask(
    user: string,
    conversation: string | null,
    message: Send,
    commandId?: string,
  ): Promise<Result<ReadableStream<Uint8Array>>>;
  resume(user: string, conversation: string, answer: Resume, commandId?: string): Promise<Result<Accepted>>;
  /** Like `resume`, but streams the thread from the answer on. */
  answer(
    user: string,
    conversation: string,
    answer: Resume,
    commandId?: string,
  ): Promise<Result<ReadableStream<Uint8Array>>>;
  /** Returns the open questions and where the waiting thread stopped. */
  context(user: string, conversation: string): Promise<Result<Context>>;
  cancel(user: string, conversation: string, target?: Cancel): Promise<Result<{ cancelled: string[] }>>;
  events(user: string, conversation: string, after?: number, limit?: number): Promise<Result<Page<Frame>>>;
  /**
   * Streams lines of frames with a `seq` greater than `after`, then live ones, until the stream is cancelled. With
   * `thread`, only this thread, up to its end or to a question.
   */
  follow(
    user: string,
    conversation: string,
    after?: number,
    thread?: string,
  ): Promise<Result<ReadableStream<Uint8Array>>>;
  items(user: string, conversation: string): Promise<Result<Item[]>>;
  plans(user: string, conversation: string): Promise<Result<Plan[]>>;
  tasks(user: string, conversation: string, status?: TaskStatus): Promise<Result<Task[]>>;
  task(user: string, task: string): Promise<Result<Task>>;
  cancelTask(user: string, task: string): Promise<Result<{ cancelled: string[] }>>;
  listSchedules(user: string, options?: { limit?: number; cursor?: string }): Promise<Result<SchedulePage>>;
  /** Returns a schedule. Its id is the id of its task. */
  schedule(user: string, schedule: string): Promise<Result<Schedule>>;
  updateSchedule(user: string, schedule: string, patch: UpdateSchedule): Promise<Result<UpdatedSchedule>>;
  deleteSchedule(user: string, schedule: string): Promise<Result<{ schedule_id: string; deleted: true }>>;
  /** Runs the schedule now, in addition to its due times. */
  runSchedule(user: string, schedule: string, commandId?: string): Promise<Result<Accepted>>;
  /** Returns the results of runs with a due time before `before`, newest first. */
  runResults(
    user: string,
    schedule: string,
    options?: { limit?: number; before?: number },
  ): Promise<Result<RunResults>>;
  /** Lists newest first; with `q`, the best matches first. */
  listTools(
    user: string,
    options?: { q?: string; category?: ToolCategory; limit?: number; cursor?: string },
  ): Promise<Result<ToolPage>>;
  /** Returns the current version of a tool, or the given one. */
  tool(user: string, tool: string, version?: number): Promise<Result<ToolWithVersions>>;
  deleteTool(user: string, tool: string): Promise<Result<{ name: string; deleted: true }>>;
  /** Parses a table file and stores it. */
  createDataset(user: string, file: TableFile, options?: NewDataset): Promise<Result<Dataset>>;
  /** Lists newest first. */
  listDatasets(user: string): Promise<Result<Datasets>>;
  dataset(user: string, dataset: string): Promise<Result<Dataset>>;
  datasetRows(
    user: string,
    dataset: string,
    options?: { limit?: number; cursor?: string },
  ): Promise<Result<DatasetRows>>;
  /** Runs a query. An unknown name is `unprocessable`; the message suggests the nearest names. */
  queryDataset(user: string, dataset: string, query?: Omit<DatasetQuery, "dataset">): Promise<Result<QueryResult>>;
  /** Returns CSV for spreadsheets, in which no cell is a formula. */
  datasetCsv(user: string, dataset: string): Promise<Result<string>>;
  updateDataset(user: string, dataset: string, patch: UpdateDataset): Promise<Result<Dataset>>;
  deleteDataset(user: string, dataset: string): Promise<Result<{ dataset_id: string; deleted: true }>>;
  /** Loads the sample datasets. Has no effect if they exist. */
  loadSample(user: string): Promise<Result<Datasets>>;
  /** Sends a message about data to the analyst. Member names are in camelCase, as at `/api/conversation`. */
  analyse(user: string, request: AnalysisInput): Promise<Result<AnalysisReply>>;
  planPage(user: string, request: WorkflowInput): Promise<Result<WorkflowReply>>;
  /** Streams lines of page events; the last is `COMPLETE`. Cancelling the stream stops the work. */
  generatePage(user: string, request: PageInput): Promise<Result<ReadableStream<Uint8Array>>>;
  listPages(user: string, options?: { limit?: number; cursor?: string }): Promise<Result<PageList>>;
  page(user: string, page: string): Promise<Result<KeptPage>>;
  renamePage(user: string, page: string, title: string): Promise<Result<PageSummary>>;
  deletePage(user: string, page: string): Promise<Result<{ page_id: string; deleted: true }>>;
  /** Builds the page again with current data and replaces it. Streams like `generatePage`. */
  runPage(user: string, page: string): Promise<Result<ReadableStream<Uint8Array>>>;
  /** Creates a link. Its token opens `/shared/{token}` for this number of seconds, and is returned only here. */
  linkPage(user: string, page: string, seconds?: number): Promise<Result<PageLink & { readonly token: string }>>;
  pageLinks(user: string, page: string): Promise<Result<{ links: PageLink[] }>>;
  unlinkPage(user: string, page: string, link: string): Promise<Result<{ link_id: string; deleted: true }>>;
  /**
   * Stores a plan template, by default as a draft. A mismatch with the schema is `invalid_request`; a template that
   * cannot be executed is `unprocessable`, with all problems.
   */
  createPlanTemplate(user: string, config: PlanInput, status?: "draft" | "released"): Promise<Result<KeptPlanTemplate>>;
  listPlanTemplates(
    user: string,
    options?: { status?: TemplateStatus; search?: string; limit?: number; cursor?: string },
  ): Promise<Result<PlanTemplatePage>>;
  planTemplate(user: string, plan: string, version?: number): Promise<Result<PlanTemplate>>;
  planTemplateVersions(user: string, plan: string): Promise<Result<PlanVersions>>;
  /** Stores the next version. `conflict` with `current_version` if `basedOn` is not the current version. */
  updatePlanTemplate(user: string, plan: string, config: PlanInput, basedOn: number): Promise<Result<KeptPlanTemplate>>;
  setPlanTemplateStatus(user: string, plan: string, status: TemplateStatus): Promise<Result<PlanTemplate>>;
  /** Archives the template. */
  deletePlanTemplate(user: string, plan: string): Promise<Result<{ plan_id: string; deleted: true }>>;
  startPlanInstance(
    user: string,
    plan: string,
    start?: Partial<StartInstance>,
    commandId?: string,
  ): Promise<Result<StartedInstance>>;
  /** Lists newest first. */
  listPlanInstances(
    user: string,
    options?: { plan_id?: string; limit?: number; cursor?: string },
  ): Promise<Result<InstancePage>>;
  planInstance(user: string, instance: string): Promise<Result<PlanInstance>>;
  /** Retries the task that blocks the instance; `conflict` if none does. */
  resumePlanInstance(
    user: string,
    instance: string,
    resume?: Partial<ResumeInstance>,
    commandId?: string,
  ): Promise<Result<StartedInstance>>;
  cancelPlanInstance(user: string, instance: string): Promise<Result<PlanInstance>>;
  agents(user: string): Promise<Result<{ agents: Agent[] }>>;
  agent(user: string, agent: string): Promise<Result<Agent>>;
  setAgentEnabled(user: string, agent: string, enabled: boolean): Promise<Result<Agent>>;
  /** Returns the agent that `registerAgent` would register, without registering it. */
  previewAgent(user: string, url: string, credentials?: Credentials): Promise<Result<Agent>>;
  registerAgent(user: string, url: string, credentials?: Credentials): Promise<Result<Agent>>;
  /** Registers an agent that is defined by a configuration. */
  registerApp(user: string, app: AppInput): Promise<Result<Agent>>;
  /** Sends one request to an agent. A failure of the agent is part of the value, not a failure of the call. */
  execute(user: string, agent: string, request: ExecuteInput): Promise<Result<Executed>>;
  removeAgent(user: string, agent: string): Promise<Result<{ name: string; deleted: true }>>;
};
