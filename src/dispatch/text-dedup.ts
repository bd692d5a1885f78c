// Assembles the text of an agent's answer from messages, artifacts and pieces of artifacts.
//
// D1. Text is emitted once, however often the agent repeats an artifact, a message or the whole task.
//
// It owns the text of each artifact, the ids of received messages, and the end of the emitted text. Artifacts from
// before a question are kept separately: an artifact that is sent whole after the question is a new answer, even with
// the same text. The methods append to the `events` of the caller and never throw. `state` is what a new instance
// needs to continue, after a crash or a retraction.

import type { AgentEvent } from "../protocol/agents/agent.ts";
import type { RemoteTaskState } from "./remote-task-state.ts";
import { getTextEnd, MAX_COMPARED_CHARS, appendEvent } from "./agent-events.ts";

/** The text of one exchange. */
export class TextDedup {
  #emitted: string;
  #openArtifact: string | undefined;
  readonly #artifacts: Map<string, string>;
  readonly #messages: Set<string>;
  /** The artifacts at the time of the agent's question. */
  readonly #artifactsBefore: ReadonlyMap<string, string>;

  constructor({ artifacts, going_on: goingOn }: RemoteTaskState) {
    // A resumed exchange continues: its artifacts count as emitted.
    const { before, now } =
      goingOn === undefined ? { before: artifacts, now: {} } : { before: goingOn.before, now: artifacts };
    this.#artifactsBefore = new Map(Object.entries(before ?? {}));
    this.#artifacts = new Map(Object.entries(now));
    this.#openArtifact = goingOn?.open;
    this.#messages = new Set(goingOn?.messages);
    this.#emitted = goingOn?.said ?? "";
  }

  /** The state from which a new instance continues. */
  get state() {
    return {
      artifacts: Object.fromEntries(this.#artifacts),
      before: Object.fromEntries(this.#artifactsBefore),
      ...(this.#openArtifact === undefined ? {} : { open: this.#openArtifact }),
      messages: [...this.#messages],
      said: this.#emittedEnd,
    };
  }

  /** The end of the text, with its trailing blanks: they decide if a message starts a new paragraph. */
  get #emittedEnd(): string {
    return this.#emitted.slice(-2 * MAX_COMPARED_CHARS);
  }

  /** The text of all artifacts, for the time after a question. */
  get artifactTexts(): RemoteTaskState["artifacts"] {
    return Object.fromEntries([...this.#artifactsBefore, ...this.#artifacts]);
  }

  /** True if no text was emitted. */
  get isEmpty(): boolean {
    return this.#emitted === "";
  }

  /** True if the artifact had exactly this text before the agent's question. */
  isUnchangedArtifact(artifactId: string, text: string): boolean {
    return this.#artifactsBefore.get(artifactId) === text;
  }

  /** Records a message id and returns true if it had not been recorded. An empty id is not recorded: returns true. */
  recordMessageId(messageId: string): boolean {
    if (messageId === "") return true;
    if (this.#messages.has(messageId)) return false;
    this.#messages.add(messageId);
    return true;
  }

  /** Appends text to the current paragraph and to `events`, without a check for repetitions. */
  addText(text: string, events: AgentEvent[]): void {
    this.#emitted += text;
    // Only the end is compared, and a comparison costs as much as its length.
    if (this.#emitted.length > 16 * MAX_COMPARED_CHARS) this.#emitted = this.#emittedEnd;
    appendEvent(events, { type: "text", text });
  }

  /** Emits a message as a new paragraph, unless it is blank or repeats an artifact or the end of the emitted text. */
  addMessage(text: string, events: AgentEvent[]): void {
    if (text.trim() !== "" && !this.#repeats(text)) this.#addParagraph(text, events);
  }

  /**
   * Emits the part of an artifact that was not emitted yet. `text` is the next piece of the artifact if `isPiece`, else
   * the whole artifact so far. It continues the paragraph of the artifact unless another text was emitted meanwhile or
   * the agent changed the artifact's beginning; then it starts a new paragraph.
   */
  addArtifact(id: string, text: string, isPiece: boolean, events: AgentEvent[]): void {
    if (text === "") return;
    // An artifact that is sent whole after the question is a new answer, even with the same text. A piece continues
    // the text from before.
    const before = this.#artifacts.get(id) ?? (isPiece ? this.#artifactsBefore.get(id) : undefined) ?? "";
    this.#artifacts.set(id, isPiece ? before + text : text);
    const fresh = isPiece
      ? text
      : text.startsWith(before)
        ? text.slice(before.length)
        : before.startsWith(text)
          ? ""
          : text;
    if (fresh === "") return;
    const continuesParagraph = this.#openArtifact === id && (isPiece || text.startsWith(before));
    if (continuesParagraph) this.addText(fresh, events);
    else this.#addParagraph(fresh, events);
    this.#openArtifact = id;
  }

  #addParagraph(text: string, events: AgentEvent[]): void {
    this.#openArtifact = undefined;
    this.addText(this.isEmpty || this.#emitted.endsWith("\n") ? text : `\n\n${text}`, events);
  }

  #repeats(text: string): boolean {
    return (
      getTextEnd(this.#emitted) === getTextEnd(text) ||
      [...this.#artifacts.values()].some((known) => known.trim() === text.trim())
    );
  }
}

/** The events that were received in one exchange. */
export class EventDedup {
  #events: AgentEvent[] = [];
  /** The number of events at the last checkpoint. */
  #committedCount = 0;

  /** Records a received event. Call it for every event, in order, also for `checkpoint` and `retracted`. */
  record(event: AgentEvent): void {
    if (event.type === "checkpoint") this.#committedCount = this.#events.length;
    else if (event.type === "retracted")
      this.#events = this.#events.filter(({ type }, i) => i < this.#committedCount || type === "usage");
    else this.#events.push(event);
  }

  /**
   * Returns the events of a list without those that were recorded; records nothing. If an event was recorded n times,
   * its first n occurrences in the list are left out. `checkpoint` and `retracted` are never left out.
   */
  filterNew(list: readonly AgentEvent[]): readonly AgentEvent[] {
    const times = new Map<string, number>();
    for (const event of this.#events.map((one) => JSON.stringify(one))) times.set(event, (times.get(event) ?? 0) + 1);
    return list.filter((one) => {
      const event = JSON.stringify(one);
      const left = times.get(event) ?? 0;
      times.set(event, left - 1);
      return left <= 0;
    });
  }
}
