// The RPC interface for other Workers. `rpc.ts` implements it.
//
// Every method returns a `Result` and does not reject for faults. `user` is the user id that the caller acts for; the
// caller is trusted, because it holds the binding. Methods with a `resolveCommandId` execute a repeated command once (T2).
// Streams are JSON lines; cancelling a stream of frames does not stop the work.

import type { AcceptedCommand, EventPage, RpcResult } from "../durable/conversation-api.ts";
import type { Agent } from "../protocol/agents/agent.ts";
import type {
  AnalysisRequestInput,
  AnalysisReply,
  PageRequestInput,
  BlueprintRequestInput,
  BlueprintReply,
} from "../protocol/pages/analysis-api.ts";
import type { AppConfigInput, ExecuteRequestInput, ExecuteResponse } from "../protocol/agents/app-config.ts";
import type { Credentials } from "../protocol/agents/agent-credentials.ts";
import type { ConversationList } from "../protocol/wire/http-responses.ts";
import type { CancelCommand, ResumeCommand, SendCommand } from "../protocol/wire/commands.ts";
import type {
  ConversationInfo,
  CreateConversationRequest,
  UpdateConversationRequest,
} from "../protocol/wire/conversation-info.ts";
import type {
  Dataset,
  DatasetQuery,
  DatasetRows,
  DatasetList,
  DatasetUploadOptions,
  QueryResult,
  UpdateDatasetRequest,
} from "../protocol/datasets/dataset.ts";
import type { Frame } from "../protocol/wire/events.ts";
import type { Item } from "../protocol/wire/items.ts";
import type {
  InstanceList,
  WorkflowInstanceDetails,
  ResumeInstanceRequest,
  StartedInstance,
  StartInstanceRequest,
} from "../protocol/workflows/workflow-instance.ts";
import type {
  SavedWorkflowTemplate,
  WorkflowConfigInput,
  WorkflowTemplate,
  WorkflowTemplateList,
  WorkflowTemplateVersions,
  WorkflowTemplateStatus,
} from "../protocol/workflows/workflow-template.ts";
import type { Plan, Task, TaskStatus } from "../protocol/plans/task-plan.ts";
import type { StoredPage, PageLink, PageList, PageSummary } from "../protocol/pages/stored-page.ts";
import type { QuestionContext } from "../protocol/wire/question.ts";
import type {
  ScheduleRunResultList,
  Schedule,
  ScheduleList,
  UpdatedSchedule,
  UpdateScheduleRequest,
} from "../protocol/schedules/schedule.ts";
import type { ToolCategory, ToolList, ToolWithVersions } from "../protocol/tools/stored-tool.ts";

/** A table file as text or bytes. */
export type TableFile = { readonly type: "csv" | "json"; readonly content: string | Uint8Array };

/** The methods of the `Orrery` entrypoint. `user` is the user id that the caller acts for. */
export type OrreryApi = {
  createConversation(user: string, options?: CreateConversationRequest): Promise<RpcResult<ConversationInfo>>;
  /** Lists newest first. `q`: titles that contain all its words. `top`: only conversations that a person started. */
  listConversations(
    user: string,
    options?: { limit?: number; cursor?: string; q?: string; top?: boolean },
  ): Promise<RpcResult<ConversationList>>;
  readConversation(user: string, conversation: string): Promise<RpcResult<ConversationInfo>>;
  updateConversation(
    user: string,
    conversation: string,
    patch: UpdateConversationRequest,
  ): Promise<RpcResult<ConversationInfo>>;
  deleteConversation(
    user: string,
    conversation: string,
  ): Promise<RpcResult<{ conversation_id: string; deleted: true }>>;
  /** Sends to a conversation, or to a new one if it is null. */
  send(
    user: string,
    conversation: string | null,
    message: SendCommand,
    commandId?: string,
  ): Promise<RpcResult<AcceptedCommand>>;
  /** Like `send`, but streams the thread as lines of frames, up to its `done` or to a question. */
  ask(
    user: string,
    conversation: string | null,
    message: SendCommand,
    commandId?: string,
  ): Promise<RpcResult<ReadableStream<Uint8Array>>>;
  resume(
    user: string,
    conversation: string,
    answer: ResumeCommand,
    commandId?: string,
  ): Promise<RpcResult<AcceptedCommand>>;
  /** Like `resume`, but streams the thread from the answer on. */
  answer(
    user: string,
    conversation: string,
    answer: ResumeCommand,
    commandId?: string,
  ): Promise<RpcResult<ReadableStream<Uint8Array>>>;
  /** Returns the open questions and where the waiting thread stopped. */
  context(user: string, conversation: string): Promise<RpcResult<QuestionContext>>;
  cancel(user: string, conversation: string, target?: CancelCommand): Promise<RpcResult<{ cancelled: string[] }>>;
  events(user: string, conversation: string, after?: number, limit?: number): Promise<RpcResult<EventPage<Frame>>>;
  /**
   * Streams lines of frames with a `seq` greater than `after`, then live ones, until the stream is cancelled. With
   * `thread`, only this thread, up to its end or to a question.
   */
  follow(
    user: string,
    conversation: string,
    after?: number,
    thread?: string,
  ): Promise<RpcResult<ReadableStream<Uint8Array>>>;
  items(user: string, conversation: string): Promise<RpcResult<Item[]>>;
  plans(user: string, conversation: string): Promise<RpcResult<Plan[]>>;
  tasks(user: string, conversation: string, status?: TaskStatus): Promise<RpcResult<Task[]>>;
  task(user: string, task: string): Promise<RpcResult<Task>>;
  cancelTask(user: string, task: string): Promise<RpcResult<{ cancelled: string[] }>>;
  listSchedules(user: string, options?: { limit?: number; cursor?: string }): Promise<RpcResult<ScheduleList>>;
  /** Returns a schedule. Its id is the id of its task. */
  schedule(user: string, schedule: string): Promise<RpcResult<Schedule>>;
  updateSchedule(user: string, schedule: string, patch: UpdateScheduleRequest): Promise<RpcResult<UpdatedSchedule>>;
  deleteSchedule(user: string, schedule: string): Promise<RpcResult<{ schedule_id: string; deleted: true }>>;
  /** Runs the schedule now, in addition to its due times. */
  runSchedule(user: string, schedule: string, commandId?: string): Promise<RpcResult<AcceptedCommand>>;
  /** Returns the results of runs with a due time before `before`, newest first. */
  runResults(
    user: string,
    schedule: string,
    options?: { limit?: number; before?: number },
  ): Promise<RpcResult<ScheduleRunResultList>>;
  /** Lists newest first; with `q`, the best matches first. */
  listTools(
    user: string,
    options?: { q?: string; category?: ToolCategory; limit?: number; cursor?: string },
  ): Promise<RpcResult<ToolList>>;
  /** Returns the current version of a tool, or the given one. */
  tool(user: string, tool: string, version?: number): Promise<RpcResult<ToolWithVersions>>;
  deleteTool(user: string, tool: string): Promise<RpcResult<{ name: string; deleted: true }>>;
  /** Parses a table file and stores it. */
  createDataset(user: string, file: TableFile, options?: DatasetUploadOptions): Promise<RpcResult<Dataset>>;
  /** Lists newest first. */
  listDatasets(user: string): Promise<RpcResult<DatasetList>>;
  dataset(user: string, dataset: string): Promise<RpcResult<Dataset>>;
  datasetRows(
    user: string,
    dataset: string,
    options?: { limit?: number; cursor?: string },
  ): Promise<RpcResult<DatasetRows>>;
  /** Runs a query. An unknown name is `unprocessable`; the message suggests the nearest names. */
  queryDataset(user: string, dataset: string, query?: Omit<DatasetQuery, "dataset">): Promise<RpcResult<QueryResult>>;
  /** Returns CSV for spreadsheets, in which no cell is a formula. */
  datasetCsv(user: string, dataset: string): Promise<RpcResult<string>>;
  updateDataset(user: string, dataset: string, patch: UpdateDatasetRequest): Promise<RpcResult<Dataset>>;
  deleteDataset(user: string, dataset: string): Promise<RpcResult<{ dataset_id: string; deleted: true }>>;
  /** Loads the sample datasets. Has no effect if they exist. */
  loadSample(user: string): Promise<RpcResult<DatasetList>>;
  /** Sends a message about data to the analyst. Member names are in camelCase, as at `/api/conversation`. */
  analyse(user: string, request: AnalysisRequestInput): Promise<RpcResult<AnalysisReply>>;
  planPage(user: string, request: BlueprintRequestInput): Promise<RpcResult<BlueprintReply>>;
  /** Streams lines of page events; the last is `COMPLETE`. Cancelling the stream stops the work. */
  generatePage(user: string, request: PageRequestInput): Promise<RpcResult<ReadableStream<Uint8Array>>>;
  listPages(user: string, options?: { limit?: number; cursor?: string }): Promise<RpcResult<PageList>>;
  page(user: string, page: string): Promise<RpcResult<StoredPage>>;
  renamePage(user: string, page: string, title: string): Promise<RpcResult<PageSummary>>;
  deletePage(user: string, page: string): Promise<RpcResult<{ page_id: string; deleted: true }>>;
  /** Builds the page again with current data and replaces it. Streams like `generatePage`. */
  runPage(user: string, page: string): Promise<RpcResult<ReadableStream<Uint8Array>>>;
  /** Creates a link. Its token opens `/shared/{token}` for this number of seconds, and is returned only here. */
  linkPage(user: string, page: string, seconds?: number): Promise<RpcResult<PageLink & { readonly token: string }>>;
  pageLinks(user: string, page: string): Promise<RpcResult<{ links: PageLink[] }>>;
  unlinkPage(user: string, page: string, link: string): Promise<RpcResult<{ link_id: string; deleted: true }>>;
  /**
   * Stores a plan template, by default as a draft. A mismatch with the schema is `invalid_request`; a template that
   * cannot be executed is `unprocessable`, with all problems.
   */
  createPlanTemplate(
    user: string,
    config: WorkflowConfigInput,
    status?: "draft" | "released",
  ): Promise<RpcResult<SavedWorkflowTemplate>>;
  listPlanTemplates(
    user: string,
    options?: { status?: WorkflowTemplateStatus; search?: string; limit?: number; cursor?: string },
  ): Promise<RpcResult<WorkflowTemplateList>>;
  planTemplate(user: string, plan: string, version?: number): Promise<RpcResult<WorkflowTemplate>>;
  planTemplateVersions(user: string, plan: string): Promise<RpcResult<WorkflowTemplateVersions>>;
  /** Stores the next version. `conflict` with `current_version` if `basedOn` is not the current version. */
  updatePlanTemplate(
    user: string,
    plan: string,
    config: WorkflowConfigInput,
    basedOn: number,
  ): Promise<RpcResult<SavedWorkflowTemplate>>;
  setPlanTemplateStatus(
    user: string,
    plan: string,
    status: WorkflowTemplateStatus,
  ): Promise<RpcResult<WorkflowTemplate>>;
  /** Archives the template. */
  deletePlanTemplate(user: string, plan: string): Promise<RpcResult<{ plan_id: string; deleted: true }>>;
  startPlanInstance(
    user: string,
    plan: string,
    start?: Partial<StartInstanceRequest>,
    commandId?: string,
  ): Promise<RpcResult<StartedInstance>>;
  /** Lists newest first. */
  listPlanInstances(
    user: string,
    options?: { plan_id?: string; limit?: number; cursor?: string },
  ): Promise<RpcResult<InstanceList>>;
  planInstance(user: string, instance: string): Promise<RpcResult<WorkflowInstanceDetails>>;
  /** Retries the task that blocks the instance; `conflict` if none does. */
  resumePlanInstance(
    user: string,
    instance: string,
    resume?: Partial<ResumeInstanceRequest>,
    commandId?: string,
  ): Promise<RpcResult<StartedInstance>>;
  cancelPlanInstance(user: string, instance: string): Promise<RpcResult<WorkflowInstanceDetails>>;
  agents(user: string): Promise<RpcResult<{ agents: Agent[] }>>;
  agent(user: string, agent: string): Promise<RpcResult<Agent>>;
  setAgentEnabled(user: string, agent: string, enabled: boolean): Promise<RpcResult<Agent>>;
  /** Returns the agent that `registerAgent` would register, without registering it. */
  previewAgent(user: string, url: string, credentials?: Credentials): Promise<RpcResult<Agent>>;
  registerAgent(user: string, url: string, credentials?: Credentials): Promise<RpcResult<Agent>>;
  /** Registers an agent that is defined by a configuration. */
  registerApp(user: string, app: AppConfigInput): Promise<RpcResult<Agent>>;
  /** Sends one request to an agent. A failure of the agent is part of the value, not a failure of the call. */
  execute(user: string, agent: string, request: ExecuteRequestInput): Promise<RpcResult<ExecuteResponse>>;
  removeAgent(user: string, agent: string): Promise<RpcResult<{ name: string; deleted: true }>>;
};
