// Faults that kills under workflow instances must find. Each fault breaks one invariant of workflows. `from` and `to`
// use identifiers of `src`: after a rename there, update them.

import { createPatcher, type Bug } from "../bugs.ts";

const patchInstanceEngine = createPatcher("src/core/listeners/run-instance.ts");
const patchStateBuilder = createPatcher("src/core/listeners/instance-state-builder.ts");
const patchWorkflowInstances = createPatcher("src/durable/conversation/workflow-instances.ts");
const patchMcpTool = createPatcher("src/agents/kit/mcp/mcp-tool.ts");
const patchVerification = createPatcher("src/core/verify/verify-tasks.ts");

export const BUGS_OF_INSTANCES: readonly Bug[] = [
  {
    name: "ignore the journaled order of changes after a crash",
    patches: [
      patchInstanceEngine(
        "name: `apply:${this.#changeCount}`,",
        "name: `apply:${this.#changeCount}/${(life ??= Math.random())}`,",
      ),
      patchInstanceEngine(`class InstanceEngine {`, `let life: number | undefined;\n\nclass InstanceEngine {`),
    ],
  },
  {
    name: "send a repeated call with a new key",
    patches: [
      patchMcpTool("return { key: `${request.message_id}/", "return { key: `${request.message_id}/${Math.random()}/"),
    ],
  },
  {
    name: "fire finished listeners again after a crash",
    patches: [
      patchStateBuilder(
        `const { listener_id: id } = compiled.listener;`,
        `const { listener_id: id } = compiled.listener;
    const { status } = this.#getListenerState(id);
    const isForgotten = status === "done" && Date.now() - this.#otherFields.at > 40;`,
      ),
      patchStateBuilder(`this.#getListenerState(id).status !== "idle" ||`, `(status !== "idle" && !isForgotten) ||`),
    ],
  },
  {
    name: "acknowledge a resumption before storing it",
    patches: [
      patchWorkflowInstances(
        `const { seq } = this.#threads.questions.acceptAnswer(commandId, answer);`,
        `setTimeout(() => this.#threads.questions.acceptAnswer(commandId, { message, request_id: hold.request_id, ...values }), 60);
    const seq = this.#log.lastSeq + 1;`,
      ),
    ],
  },
  {
    name: "repeat the verification after a crash",
    patches: [
      patchVerification(
        `runAtomicStep(turn, "verification", "verification",`,
        'runAtomicStep(turn, "verification", `verification/${Math.random()}`,',
      ),
    ],
  },
];
