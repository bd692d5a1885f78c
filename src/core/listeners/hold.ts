// The question of a held instance, and its answer.

import type { PlanContext } from "../../protocol/plan-template.ts";
import { resumeInstanceSchema, type Hold } from "../../protocol/plan-instance.ts";
import type { Question, Standing } from "../ports.ts";
import { question } from "../questions.ts";
import type { Scene } from "../scene.ts";
import { placeIn } from "./components.ts";

/** The expiry of a hold: 30 days. */
const HOLD_SECONDS = 30 * 86_400;

/** Creates the question of a hold, with the hold's id. It expires after 30 days and accepts values as its answer. */
export function holdQuestion(scene: Scene, { request_id, message }: Hold): Question {
  const patient = { ...scene, limits: { ...scene.limits, questionSeconds: HOLD_SECONDS } };
  const asked = { stage: "planning", prompt: scene.ports.say(message), query: scene.request.message } as const;
  return { ...question(patient, placeIn(scene.threadId), asked), request_id, takesValues: true };
}

/**
 * Parses the values of an answer, by task and name. If a single value is missing, the plain message is that value,
 * unless it only asks for a retry. Returns {} if the answer contains no values.
 */
export function valuesIn(
  { answer }: Extract<Standing, { state: "answered" }>,
  { missing }: Hold,
): Readonly<Record<string, PlanContext>> {
  const resumed = resumeInstanceSchema.safeParse(answer.arguments ?? {});
  if (answer.arguments !== undefined) return resumed.success ? resumed.data.context : {};
  const [only, ...others] = missing;
  const said = answer.message.trim();
  if (only === undefined || others.length > 0 || said === "" || AGAIN.test(said)) return {};
  return { [only.task_id]: { [only.name]: said } };
}

/** Matches answers that ask for a retry and are not a value. */
const AGAIN = /^(?:try again|retry|again|resume|go on|continue|重试|再试一次|继续)[.!。！]?$/i;
