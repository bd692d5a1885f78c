// What an instance is started with, and in which words.

import type { Send } from "../protocol/commands.ts";
import type { StartInstance, StartedInstance } from "../protocol/plan-instance.ts";
import type { PlanTemplate } from "../protocol/plan-template.ts";
import { cut } from "../protocol/shortened.ts";

/** What an instance was started with: too large for the head, it stands with the command. */
export type InstanceStart = StartInstance & { readonly template: PlanTemplate };

/** The instance of a plan that a conversation is. `end` once its thread is over. */
export type InstanceMark = Omit<StartedInstance, "conversation_id"> &
  Pick<PlanTemplate, "name" | "main_task_id"> & {
    readonly end?: "ended" | "cancelled";
    /** Once it has ended by itself. */
    readonly has_failed?: boolean;
    readonly ended_at?: number;
  };

const MAX_TITLE = 200;
const MAX_VALUE = 60;
/** Values of the subject that a title shows. */
const TITLE_VALUES = 3;

/** What an instance is called: its template, and the first things that are known of its subject. */
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

/** The message that stands for the start: an instance answers to nobody's words. */
export function sendOf(start: InstanceStart): Send {
  const { language, timezone } = start;
  return {
    message: titleOf(start),
    ...(language === undefined ? {} : { language }),
    ...(timezone === undefined ? {} : { timezone }),
  };
}
