// The tags of the OpenAPI document, in its order. Each route names one of them.

export const TAGS = [
  {
    name: "Talking",
    description:
      "Send messages, answer questions and cancel work. With `Accept: text/event-stream`, the response streams the " +
      "events of the thread, up to `done` or a question; otherwise it contains the ids with which the thread can be " +
      "read. Closing a stream does not stop the work.",
  },
  {
    name: "Reading",
    description:
      "Read the events and the current state of a conversation. Each event has a sequence number (`seq`). A client " +
      "that requests the events after the last `seq` it has received misses none.",
  },
  {
    name: "Conversations",
    description: "A conversation belongs to one user. For all other users, it does not exist (404).",
  },
  {
    name: "Schedules",
    description:
      "Recurring tasks. A schedule is created by a message in a conversation, and deleted with the conversation. The " +
      "result of every run can also be sent to a webhook.",
  },
  {
    name: "Agents",
    description:
      "The agents of the deployment, the agents that you registered by a URL or a configuration, and your released workflows.",
  },
  {
    name: "Profile",
    description:
      "Your name, language and time zone, and facts about you. Every agent receives them with every task; the values of a " +
      "message win.",
  },
  {
    name: "Plan templates",
    description:
      "Workflows: templates of tasks and listeners. A listener runs when the status of a task changes, and its result " +
      "changes other tasks. A released workflow is also an agent. An invalid one is refused with 422 and all `problems`.",
  },
  {
    name: "Plan instances",
    description:
      "Executions of a workflow. An instance is also a conversation, so it can be read and followed like one. When its " +
      "main task is done, every agent that took part verifies its work, unless `verify` is false.",
  },
  {
    name: "Tools",
    description:
      "The tools that the toolsmith has written, tested and stored for you. New code under the same name is a new version.",
  },
  {
    name: "Datasets",
    description:
      "Your tables. The types of the columns are detected. An invalid file is refused with the line and column of the " +
      "error. Queries are JSON objects; the error for an unknown name suggests similar names.",
  },
  {
    name: "Analysis",
    description:
      "Questions about data. `/api/conversation` answers a message, asks a question, or plans a page; " +
      "`/api/page/generate` builds the page and streams its progress. The server stores the state of the analysis for " +
      "each `conversationId`. Property names are in camelCase. An invalid body is refused with 422.",
  },
  {
    name: "Pages",
    description:
      "The pages that were built for you, with their blueprints and data. A link lets others read a page until it expires.",
  },
  {
    name: "OpenAI",
    description:
      "The OpenAI chat completions API, for existing clients; the base URL is `/v1`. The model `orrery` is the runtime, " +
      "and each agent is a model with its own name. Parameters that request an unsupported feature (`tools`, `n` above " +
      "1, `response_format`, `stop`, images, audio) are refused with 400; parameters that only tune a model are ignored.",
  },
  {
    name: "A2A",
    description:
      "The agent cards by which A2A clients find this server and its agents. All other A2A calls are JSON-RPC.",
  },
  { name: "About", description: "The server itself: its health and its API description." },
];
