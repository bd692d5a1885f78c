import type { AgentEvent } from "../protocol/agent.ts";
import type { Recalled } from "./recall.ts";
import { endOf, MAX_SAID, push } from "./said.ts";

/**
 * The text of an agent's answer, out of messages, artifacts and pieces.
 *
 * D1. Text is told once, however often the agent repeats an artifact, a message or the whole task.
 */
export class Telling {
  #said: string;
  #openArtifact: string | undefined;
  readonly #artifacts: Map<string, string>;
  readonly #messages: Set<string>;
  /** What the artifacts held when the agent asked its question. */
  readonly #before: ReadonlyMap<string, string>;

  constructor({ artifacts, going_on: goingOn }: Recalled) {
    // An exchange that is taken up again goes on: what was told stays told.
    const { before, now } =
      goingOn === undefined ? { before: artifacts, now: {} } : { before: goingOn.before, now: artifacts };
    this.#before = new Map(Object.entries(before ?? {}));
    this.#artifacts = new Map(Object.entries(now));
    this.#openArtifact = goingOn?.open;
    this.#messages = new Set(goingOn?.messages);
    this.#said = goingOn?.said ?? "";
  }

  /** What it takes to go on from here, after a crash or when what follows is taken back. */
  get standing() {
    return {
      artifacts: Object.fromEntries(this.#artifacts),
      before: Object.fromEntries(this.#before),
      ...(this.#openArtifact === undefined ? {} : { open: this.#openArtifact }),
      messages: [...this.#messages],
      said: this.#endOfSaid,
    };
  }

  /** With the blanks at its end, which tell whether a message begins a paragraph. */
  get #endOfSaid(): string {
    return this.#said.slice(-2 * MAX_SAID);
  }

  /** What the artifacts hold, for the time after a question. */
  get shown(): Recalled["artifacts"] {
    return Object.fromEntries([...this.#before, ...this.#artifacts]);
  }

  get isSilent(): boolean {
    return this.#said === "";
  }

  /** Whether an artifact repeats what it had shown before the question. */
  wasShown(artifactId: string, text: string): boolean {
    return this.#before.get(artifactId) === text;
  }

  /** True the first time that a message comes; one without an id is always new. */
  isNew(messageId: string): boolean {
    if (messageId === "") return true;
    if (this.#messages.has(messageId)) return false;
    this.#messages.add(messageId);
    return true;
  }

  text(text: string, events: AgentEvent[]): void {
    this.#said += text;
    // Only its end is ever looked at, and a look costs what it is long.
    if (this.#said.length > 16 * MAX_SAID) this.#said = this.#endOfSaid;
    push(events, { type: "text", text });
  }

  message(text: string, events: AgentEvent[]): void {
    if (text.trim() !== "" && !this.#repeats(text)) this.#paragraph(text, events);
  }

  artifact(id: string, text: string, append: boolean, events: AgentEvent[]): void {
    if (text === "") return;
    // Sent whole after the question, it is a new answer, even in the same words; a piece belongs to what was there.
    const before = this.#artifacts.get(id) ?? (append ? this.#before.get(id) : undefined) ?? "";
    this.#artifacts.set(id, append ? before + text : text);
    const fresh = append
      ? text
      : text.startsWith(before)
        ? text.slice(before.length)
        : before.startsWith(text)
          ? ""
          : text;
    if (fresh === "") return;
    const goesOn = this.#openArtifact === id && (append || text.startsWith(before));
    if (goesOn) this.text(fresh, events);
    else this.#paragraph(fresh, events);
    this.#openArtifact = id;
  }

  #paragraph(text: string, events: AgentEvent[]): void {
    this.#openArtifact = undefined;
    this.text(this.isSilent || this.#said.endsWith("\n") ? text : `\n\n${text}`, events);
  }

  #repeats(text: string): boolean {
    return (
      endOf(this.#said) === endOf(text) || [...this.#artifacts.values()].some((known) => known.trim() === text.trim())
    );
  }
}
