// The start of a workflow instance: its input, its record in the head, and its title.

import type { Send } from "../protocol/commands.ts";
import type { StartInstance, StartedInstance } from "../protocol/plan-instance.ts";
import type { PlanTemplate } from "../protocol/plan-template.ts";
import { cut } from "../protocol/shortened.ts";

/** The input of an instance. Stored with the start command, because it is too large for the head. */
export type InstanceStart = StartInstance & { readonly template: PlanTemplate };

/** The workflow instance of a conversation, as stored in the head. `end` is set when its thread is done. */
export type InstanceMark = Omit<StartedInstance, "conversation_id"> &
  Pick<PlanTemplate, "name" | "main_task_id"> & {
    readonly end?: "ended" | "cancelled";
    /** Set if the instance ended by itself. Absent in records of earlier releases. */
    readonly has_failed?: boolean;
    readonly ended_at?: number;
  };

const MAX_TITLE = 200;
const MAX_VALUE = 60;
/** The number of context values that a title shows. */
const TITLE_VALUES = 3;

/** Returns the title of an instance: the template's name and the first scalar values of its context. */
export function titleOf({ template, context }: InstanceStart): string {
  const values = Object.values(context)
    .filter((value) => typeof value === "string" || typeof value === "number")
    .map((value) => shown(String(value)))
    .filter((value) => value !== "");
  return cut([template.name, ...values.slice(0, TITLE_VALUES)].join(" · "), MAX_TITLE);
}

function shown(value: string): string {
  return cut(value.replaceAll(/[\p{Cc}\s]+/gu, " ").trim(), MAX_VALUE);
}

/** Returns the message that stands for the start in the log. Its words do not influence the instance. */
export function sendOf(start: InstanceStart): Send {
  const { language, timezone } = start;
  return {
    message: titleOf(start),
    ...(language === undefined ? {} : { language }),
    ...(timezone === undefined ? {} : { timezone }),
  };
}
