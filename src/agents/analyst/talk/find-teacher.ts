// Selects the teacher whose classes a request is about.

import { TEACHERS } from "../../../datasets/sample-classroom.ts";
import type { AgentMetadata } from "../../../protocol/agents/agent.ts";

/** The teacher of the sample classroom, used if a request has no teacher. */
export const SAMPLE_TEACHER = TEACHERS[0]?.teacher_id ?? "";

/** Returns the teacher id in the current context, or else in the profile, or else the sample teacher. */
export function findTeacherId({ current_context, user_profile }: AgentMetadata): string {
  for (const source of [current_context, user_profile]) {
    const id = source?.["teacherId"] ?? source?.["teacher_id"];
    if (typeof id === "string" && id !== "") return id;
  }
  return SAMPLE_TEACHER;
}
