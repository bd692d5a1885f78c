// The RPC interface for other Workers. `rpc.ts` implements it.
//
// Every method returns an `RpcResult` and does not reject for faults. `user` is the user id that the caller acts for;
// the caller is trusted, because it holds the binding. Methods with a `commandId` execute a repeated command once (T2).
// Streams are JSON lines; cancelling a stream of frames does not stop the work. An unknown id is `not_found`. Lists
// return 20 entries per page by default, at most 100; `next_cursor` is the `cursor` of the next page.

import type { AcceptedCommand, EventPage } from "../durable/conversation-api.ts";
import type { RpcResult } from "../protocol/wire/rpc-result.ts";
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
  /** Creates a conversation and, with `message`, sends it the first message. */
  createConversation(user: string, options?: CreateConversationRequest): Promise<RpcResult<ConversationInfo>>;
  /**
   * Lists last updated first. `q`: titles that contain all its words. `top`: no task conversations and no instances.
   */
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
  /** Deletes a conversation with its content and schedules. The pages that were built in it remain. */
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
  /** Answers an open question. `request_id` is required if several are open. */
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
  /** Cancels a thread or a task, by default the oldest open message, and returns its id in a list. */
  cancel(user: string, conversation: string, target?: CancelCommand): Promise<RpcResult<{ cancelled: string[] }>>;
  /**
   * Returns at most `limit` frames (1,000 by default, at most 10,000) with a `seq` greater than `after` (default 0).
   */
  events(user: string, conversation: string, after?: number, limit?: number): Promise<RpcResult<EventPage<Frame>>>;
  /**
   * Streams lines of frames with a `seq` greater than `after` (default 0), then live ones, until the stream is
   * cancelled. With `thread`, only this thread, up to its end or to a question. `too_many_requests` if too many readers
   * follow.
   */
  follow(
    user: string,
    conversation: string,
    after?: number,
    thread?: string,
  ): Promise<RpcResult<ReadableStream<Uint8Array>>>;
  /** Returns all items in order. */
  items(user: string, conversation: string): Promise<RpcResult<Item[]>>;
  /** Returns all plans with the current state of their tasks. */
  plans(user: string, conversation: string): Promise<RpcResult<Plan[]>>;
  /** Returns the tasks of all plans, or those with this status. */
  tasks(user: string, conversation: string, status?: TaskStatus): Promise<RpcResult<Task[]>>;
  /** Returns a task by its id alone. */
  task(user: string, task: string): Promise<RpcResult<Task>>;
  /** Cancels a task, or ends the schedule of a recurring task. Returns its id in a list. `conflict` if it has ended. */
  cancelTask(user: string, task: string): Promise<RpcResult<{ cancelled: string[] }>>;
  /** Lists newest first. */
  listSchedules(user: string, options?: { limit?: number; cursor?: string }): Promise<RpcResult<ScheduleList>>;
  /** Returns a schedule. Its id is the id of its task. */
  schedule(user: string, schedule: string): Promise<RpcResult<Schedule>>;
  /** Changes a schedule. Only this result contains the secret of a webhook that the patch sets. */
  updateSchedule(user: string, schedule: string, patch: UpdateScheduleRequest): Promise<RpcResult<UpdatedSchedule>>;
  /** Deletes the schedule and cancels its current run. */
  deleteSchedule(user: string, schedule: string): Promise<RpcResult<{ schedule_id: string; deleted: true }>>;
  /** Runs the schedule now, in addition to its due times. `conflict` while it runs. */
  runSchedule(user: string, schedule: string, commandId?: string): Promise<RpcResult<AcceptedCommand>>;
  /** Returns the results of runs, newest first; with `before`, those with an earlier due time (epoch milliseconds). */
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
  /** Deletes a tool with all its versions. */
  deleteTool(user: string, tool: string): Promise<RpcResult<{ name: string; deleted: true }>>;
  /** Parses a table file and stores it. `conflict` if its name is taken and `options.replace` is not true. */
  createDataset(user: string, file: TableFile, options?: DatasetUploadOptions): Promise<RpcResult<Dataset>>;
  /** Lists newest first. */
  listDatasets(user: string): Promise<RpcResult<DatasetList>>;
  /** Returns a dataset with its columns and first rows. */
  dataset(user: string, dataset: string): Promise<RpcResult<Dataset>>;
  /** Returns rows in their stored order, 100 per page by default. */
  datasetRows(
    user: string,
    dataset: string,
    options?: { limit?: number; cursor?: string },
  ): Promise<RpcResult<DatasetRows>>;
  /** Runs a query. An unknown name is `unprocessable`; the message suggests the nearest names. */
  queryDataset(user: string, dataset: string, query?: Omit<DatasetQuery, "dataset">): Promise<RpcResult<QueryResult>>;
  /** Returns CSV for spreadsheets, in which no cell is a formula. */
  datasetCsv(user: string, dataset: string): Promise<RpcResult<string>>;
  /** Renames a dataset. `conflict` if another one has the name. */
  updateDataset(user: string, dataset: string, patch: UpdateDatasetRequest): Promise<RpcResult<Dataset>>;
  deleteDataset(user: string, dataset: string): Promise<RpcResult<{ dataset_id: string; deleted: true }>>;
  /** Loads the sample datasets that are missing, and returns all of them. */
  loadSample(user: string): Promise<RpcResult<DatasetList>>;
  /** Sends a message about data to the analyst. Member names are in camelCase, as at `/api/conversation`. */
  analyse(user: string, request: AnalysisRequestInput): Promise<RpcResult<AnalysisReply>>;
  /** Plans a page and returns its blueprint. Stores nothing. */
  planPage(user: string, request: BlueprintRequestInput): Promise<RpcResult<BlueprintReply>>;
  /** Builds and stores a page. Streams lines of page events; the last is `COMPLETE`. Cancelling it stops the work. */
  generatePage(user: string, request: PageRequestInput): Promise<RpcResult<ReadableStream<Uint8Array>>>;
  /** Lists newest first. */
  listPages(user: string, options?: { limit?: number; cursor?: string }): Promise<RpcResult<PageList>>;
  /** Returns a page with its blueprint and data. */
  page(user: string, page: string): Promise<RpcResult<StoredPage>>;
  renamePage(user: string, page: string, title: string): Promise<RpcResult<PageSummary>>;
  /** Deletes a page and its links. */
  deletePage(user: string, page: string): Promise<RpcResult<{ page_id: string; deleted: true }>>;
  /** Builds the page again with current data and replaces it. Streams like `generatePage`. */
  runPage(user: string, page: string): Promise<RpcResult<ReadableStream<Uint8Array>>>;
  /**
   * Creates a link. Its token opens `/shared/{token}` for this number of seconds (default: 7 days), and is returned
   * only here. `too_many_requests` if the page has too many links.
   */
  linkPage(user: string, page: string, seconds?: number): Promise<RpcResult<PageLink & { readonly token: string }>>;
  /** Returns the links that have not expired, oldest first. */
  pageLinks(user: string, page: string): Promise<RpcResult<{ links: PageLink[] }>>;
  /** Revokes a link at once. */
  unlinkPage(user: string, page: string, link: string): Promise<RpcResult<{ link_id: string; deleted: true }>>;
  /**
   * Stores a plan template, by default as a draft. A mismatch with the schema is `invalid_request`; a template that
   * cannot be executed is `unprocessable`, with all problems; a `plan_id` that exists is `conflict`.
   */
  createPlanTemplate(
    user: string,
    config: WorkflowConfigInput,
    status?: "draft" | "released",
  ): Promise<RpcResult<SavedWorkflowTemplate>>;
  /**
   * Lists newest first; archived templates only if `status` requests them. `search`: part of name, description or id.
   */
  listPlanTemplates(
    user: string,
    options?: { status?: WorkflowTemplateStatus; search?: string; limit?: number; cursor?: string },
  ): Promise<RpcResult<WorkflowTemplateList>>;
  /** Returns the current version of a template, or the given one. */
  planTemplate(user: string, plan: string, version?: number): Promise<RpcResult<WorkflowTemplate>>;
  /** Lists the versions of a template, newest first. */
  planTemplateVersions(user: string, plan: string): Promise<RpcResult<WorkflowTemplateVersions>>;
  /** Stores the next version. `conflict` if archived or, with `current_version`, if `basedOn` is another version. */
  updatePlanTemplate(
    user: string,
    plan: string,
    config: WorkflowConfigInput,
    basedOn: number,
  ): Promise<RpcResult<SavedWorkflowTemplate>>;
  /** Changes the status. Releasing a template with problems is `unprocessable`. */
  setPlanTemplateStatus(
    user: string,
    plan: string,
    status: WorkflowTemplateStatus,
  ): Promise<RpcResult<WorkflowTemplate>>;
  /** Archives the template. Its instances continue. */
  deletePlanTemplate(user: string, plan: string): Promise<RpcResult<{ plan_id: string; deleted: true }>>;
  /** Starts an instance of the current version. `conflict` if the template is archived. */
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
  /**
   * Retries the listeners that hold the instance, after setting the values of `resume`. `conflict` if it is not held.
   */
  resumePlanInstance(
    user: string,
    instance: string,
    resume?: Partial<ResumeInstanceRequest>,
    commandId?: string,
  ): Promise<RpcResult<StartedInstance>>;
  /** Cancels the instance. `conflict` if it has ended. */
  cancelPlanInstance(user: string, instance: string): Promise<RpcResult<WorkflowInstanceDetails>>;
  /** Returns the agents of the deployment and of the user, also disabled ones. */
  agents(user: string): Promise<RpcResult<{ agents: Agent[] }>>;
  agent(user: string, agent: string): Promise<RpcResult<Agent>>;
  /** Enables or disables an agent for this user. */
  setAgentEnabled(user: string, agent: string, enabled: boolean): Promise<RpcResult<Agent>>;
  /** Returns the agent that `registerAgent` would register, without registering it. */
  previewAgent(user: string, url: string, credentials?: Credentials): Promise<RpcResult<Agent>>;
  /**
   * Registers the agent at the URL of its card or server. Replaces a registered agent of this name, and enables it;
   * `conflict` for a name of the system or the deployment.
   */
  registerAgent(user: string, url: string, credentials?: Credentials): Promise<RpcResult<Agent>>;
  /** Registers an agent that is defined by a configuration. Names are handled as in `registerAgent`. */
  registerApp(user: string, app: AppConfigInput): Promise<RpcResult<Agent>>;
  /** Sends one request to an agent. A failure of the agent is part of the value, not a failure of the call. */
  execute(user: string, agent: string, request: ExecuteRequestInput): Promise<RpcResult<ExecuteResponse>>;
  /** Removes a registered agent; `not_found` for an agent of the deployment. */
  removeAgent(user: string, agent: string): Promise<RpcResult<{ name: string; deleted: true }>>;
};
