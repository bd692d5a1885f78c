// The tags of the OpenAPI document, in its order.

export const TAGS = [
  {
    name: "Talking",
    description:
      "Send messages, answer questions, stop work. With `Accept: text/event-stream` the answer is the thread itself, " +
      "event by event, up to its `done`; otherwise it says where the thread can be read. Closing a stream stops nothing.",
  },
  {
    name: "Reading",
    description:
      "What happened and how it stands. Every event of a conversation has a number; whoever asks for what came after " +
      "the last one they saw has missed nothing.",
  },
  { name: "Conversations", description: "A conversation belongs to one user. For anybody else it does not exist." },
  {
    name: "Schedules",
    description:
      "Tasks that recur. They are set up by asking for them in a conversation, and go with it. A schedule may name a " +
      "webhook, to which the result of every run is sent as well.",
  },
  {
    name: "Agents",
    description: "Those of the deployment and those that you registered by the URL of their A2A card.",
  },
  {
    name: "Plan templates",
    description:
      "Processes that react: a listener acts when a task's status changes, and what it brings changes the next task. " +
      "A released template is an agent as well. What is wrong with one is answered as a 422 with all `problems`.",
  },
  {
    name: "Plan instances",
    description:
      "A template at work on one subject. An instance is a conversation of its own, so it can be read and followed as " +
      "one. When its main task is done, every agent that acted is asked to verify what it did.",
  },
  {
    name: "Tools",
    description: "What the toolsmith has written for you, tried and kept. Every other code under a name is a version.",
  },
  {
    name: "Datasets",
    description:
      "Tables of your own. A file is read with its types, or refused with the line and column of what is wrong with it; " +
      "queries are checked objects, and a name that is not there is answered with the nearest ones.",
  },
  {
    name: "Analysis",
    description:
      "Questions about data. What is said to `/api/conversation` is answered, asked back about, or planned as a page; " +
      "`/api/page/generate` makes the page and streams how it comes about. What was made and asked is kept for each " +
      "`conversationId`. Members are in camelCase, and a body that does not fit is a 422.",
  },
  {
    name: "Pages",
    description:
      "The pages that were made for you, with what they were made from. A link lets others read one for a while.",
  },
  {
    name: "OpenAI",
    description:
      "The API of OpenAI, for clients that know nothing else: base URL `/v1`. The model `orrery` is the runtime, every " +
      "agent is a model of its own name. What would change an answer in a way that nobody here brings about (`tools`, " +
      "`n` above 1, `response_format`, `stop`, pictures, sound) is refused with 400; what only tunes a model is left out.",
  },
  { name: "A2A", description: "The cards by which agents of others find this one; they speak JSON-RPC to it." },
  { name: "About", description: "The server itself." },
];
