// What other Workers can ask (`rpc.ts`).

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

/** A table as text or bytes. */
export type TableFile = { readonly type: "csv" | "json"; readonly content: string | Uint8Array };

/** What another Worker can ask; `user` is whom it acts for. */
export type OrreryApi = {
  createConversation(user: string, options?: CreateConversation): Promise<Result<Conversation>>;
  /** The newest first: those with all words of `q` in their title, and, with `top`, only those that a person began. */
  listConversations(
    user: string,
    options?: { limit?: number; cursor?: string; q?: string; top?: boolean },
  ): Promise<Result<ConversationPage>>;
  readConversation(user: string, conversation: string): Promise<Result<Conversation>>;
  updateConversation(user: string, conversation: string, patch: UpdateConversation): Promise<Result<Conversation>>;
  deleteConversation(user: string, conversation: string): Promise<Result<{ conversation_id: string; deleted: true }>>;
  /** Sends to the conversation, or to a new one when it is null. */
  send(user: string, conversation: string | null, message: Send, commandId?: string): Promise<Result<Accepted>>;
  /** As `send`, and streams the thread as lines of frames, up to its `done` or until it waits for the person. */
  ask(
    user: string,
    conversation: string | null,
    message: Send,
    commandId?: string,
  ): Promise<Result<ReadableStream<Uint8Array>>>;
  resume(user: string, conversation: string, answer: Resume, commandId?: string): Promise<Result<Accepted>>;
  /** As `resume`, and streams the thread from the answer on. */
  answer(
    user: string,
    conversation: string,
    answer: Resume,
    commandId?: string,
  ): Promise<Result<ReadableStream<Uint8Array>>>;
  /** The open questions, and where the thread that waits stopped. */
  context(user: string, conversation: string): Promise<Result<Context>>;
  cancel(user: string, conversation: string, target?: Cancel): Promise<Result<{ cancelled: string[] }>>;
  events(user: string, conversation: string, after?: number, limit?: number): Promise<Result<Page<Frame>>>;
  /** Lines of frames after a number, then live ones, until the stream is cancelled; of one thread, up to its rest or end. */
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
  /** A schedule's id is that of its task. */
  schedule(user: string, schedule: string): Promise<Result<Schedule>>;
  updateSchedule(user: string, schedule: string, patch: UpdateSchedule): Promise<Result<UpdatedSchedule>>;
  deleteSchedule(user: string, schedule: string): Promise<Result<{ schedule_id: string; deleted: true }>>;
  /** Runs it now, besides its times. */
  runSchedule(user: string, schedule: string, commandId?: string): Promise<Result<Accepted>>;
  /** What its runs brought, newest first: those that were due before `before`. */
  runResults(
    user: string,
    schedule: string,
    options?: { limit?: number; before?: number },
  ): Promise<Result<RunResults>>;
  /** The newest first; those that match `q`, the best first. */
  listTools(
    user: string,
    options?: { q?: string; category?: ToolCategory; limit?: number; cursor?: string },
  ): Promise<Result<ToolPage>>;
  /** As it is, or as an older version of it was. */
  tool(user: string, tool: string, version?: number): Promise<Result<ToolWithVersions>>;
  deleteTool(user: string, tool: string): Promise<Result<{ name: string; deleted: true }>>;
  /** Reads a table out of a file and keeps it. */
  createDataset(user: string, file: TableFile, options?: NewDataset): Promise<Result<Dataset>>;
  /** The newest first. */
  listDatasets(user: string): Promise<Result<Datasets>>;
  dataset(user: string, dataset: string): Promise<Result<Dataset>>;
  datasetRows(
    user: string,
    dataset: string,
    options?: { limit?: number; cursor?: string },
  ): Promise<Result<DatasetRows>>;
  /** `unprocessable` with the nearest names for what is not there. */
  queryDataset(user: string, dataset: string, query?: Omit<DatasetQuery, "dataset">): Promise<Result<QueryResult>>;
  /** As a spreadsheet can open it: no cell is a formula. */
  datasetCsv(user: string, dataset: string): Promise<Result<string>>;
  updateDataset(user: string, dataset: string, patch: UpdateDataset): Promise<Result<Dataset>>;
  deleteDataset(user: string, dataset: string): Promise<Result<{ dataset_id: string; deleted: true }>>;
  /** The classroom that comes with the system; once it is there, nothing more happens. */
  loadSample(user: string): Promise<Result<Datasets>>;
  /** Says something about data; members are in camelCase, as at `/api/conversation`. */
  analyse(user: string, request: AnalysisInput): Promise<Result<AnalysisReply>>;
  planPage(user: string, request: WorkflowInput): Promise<Result<WorkflowReply>>;
  /** Lines of page events, the last of them `COMPLETE`. Cancelling the stream stops the work. */
  generatePage(user: string, request: PageInput): Promise<Result<ReadableStream<Uint8Array>>>;
  listPages(user: string, options?: { limit?: number; cursor?: string }): Promise<Result<PageList>>;
  page(user: string, page: string): Promise<Result<KeptPage>>;
  renamePage(user: string, page: string, title: string): Promise<Result<PageSummary>>;
  deletePage(user: string, page: string): Promise<Result<{ page_id: string; deleted: true }>>;
  /** Makes the page again with fresh data, in its place. Streams as `generatePage`. */
  runPage(user: string, page: string): Promise<Result<ReadableStream<Uint8Array>>>;
  /** The token opens `/shared/{token}` for so many seconds. It is told only here. */
  linkPage(user: string, page: string, seconds?: number): Promise<Result<PageLink & { readonly token: string }>>;
  pageLinks(user: string, page: string): Promise<Result<{ links: PageLink[] }>>;
  unlinkPage(user: string, page: string, link: string): Promise<Result<{ link_id: string; deleted: true }>>;
  /**
   * Keeps a plan, as a draft if nothing else is said. One of another shape is `invalid_request`, one that cannot be
   * carried out `unprocessable`, with all that is wrong with it.
   */
  createPlanTemplate(user: string, config: PlanInput, status?: "draft" | "released"): Promise<Result<KeptPlanTemplate>>;
  listPlanTemplates(
    user: string,
    options?: { status?: TemplateStatus; search?: string; limit?: number; cursor?: string },
  ): Promise<Result<PlanTemplatePage>>;
  planTemplate(user: string, plan: string, version?: number): Promise<Result<PlanTemplate>>;
  planTemplateVersions(user: string, plan: string): Promise<Result<PlanVersions>>;
  /** `basedOn` is a version; `conflict` with `current_version` when another is current. */
  updatePlanTemplate(user: string, plan: string, config: PlanInput, basedOn: number): Promise<Result<KeptPlanTemplate>>;
  setPlanTemplateStatus(user: string, plan: string, status: TemplateStatus): Promise<Result<PlanTemplate>>;
  /** Archives it. */
  deletePlanTemplate(user: string, plan: string): Promise<Result<{ plan_id: string; deleted: true }>>;
  startPlanInstance(
    user: string,
    plan: string,
    start?: Partial<StartInstance>,
    commandId?: string,
  ): Promise<Result<StartedInstance>>;
  /** The newest first. */
  listPlanInstances(
    user: string,
    options?: { plan_id?: string; limit?: number; cursor?: string },
  ): Promise<Result<InstancePage>>;
  planInstance(user: string, instance: string): Promise<Result<PlanInstance>>;
  /** Tries again what holds it; `conflict` when nothing does. */
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
  /** What registering that URL would make, without making it. */
  previewAgent(user: string, url: string, credentials?: Credentials): Promise<Result<Agent>>;
  registerAgent(user: string, url: string, credentials?: Credentials): Promise<Result<Agent>>;
  /** Makes an agent of a configuration. */
  registerApp(user: string, app: AppInput): Promise<Result<Agent>>;
  /** Asks an agent for one thing. What the agent does not manage is no failure of the call. */
  execute(user: string, agent: string, request: ExecuteInput): Promise<Result<Executed>>;
  removeAgent(user: string, agent: string): Promise<Result<{ name: string; deleted: true }>>;
};
