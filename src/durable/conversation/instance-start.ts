// The start of a workflow instance: its input, its record in the head, and its title.

import type { SendCommand } from "../../protocol/wire/commands.ts";
import type { StartInstanceRequest, StartedInstance } from "../../protocol/workflows/workflow-instance.ts";
import type { WorkflowTemplate } from "../../protocol/workflows/workflow-template.ts";
import { truncate } from "../../lib/truncate.ts";

/** The input of an instance. Stored with the start command, because it is too large for the head. */
export type InstanceStart = StartInstanceRequest & { readonly template: WorkflowTemplate };

/** The workflow instance of a conversation, as stored in the head. `end` is set when its thread is done. */
export type InstanceRecord = Omit<StartedInstance, "conversation_id"> &
  Pick<WorkflowTemplate, "name" | "main_task_id"> & {
    readonly end?: "ended" | "cancelled";
    /** Set if the instance ended by itself. Absent in records of earlier releases. */
    readonly has_failed?: boolean;
    readonly ended_at?: number;
  };

const MAX_TITLE_CHARS = 200;
const MAX_VALUE_CHARS = 60;
const MAX_TITLE_VALUES = 3;

/** Returns the title of an instance: the template's name and the first scalar values of its context. */
export function formatInstanceTitle({ template, context }: InstanceStart): string {
  const values = Object.values(context)
    .filter((value) => typeof value === "string" || typeof value === "number")
    .map((value) => formatTitleValue(String(value)))
    .filter((value) => value !== "");
  return truncate([template.name, ...values.slice(0, MAX_TITLE_VALUES)].join(" · "), MAX_TITLE_CHARS);
}

function formatTitleValue(value: string): string {
  return truncate(value.replaceAll(/[\p{Cc}\s]+/gu, " ").trim(), MAX_VALUE_CHARS);
}

/** Returns the message that stands for the start in the log. Its words do not influence the instance. */
export function toSendCommand(start: InstanceStart): SendCommand {
  const { language, timezone } = start;
  return {
    message: formatInstanceTitle(start),
    ...(language === undefined ? {} : { language }),
    ...(timezone === undefined ? {} : { timezone }),
  };
}
