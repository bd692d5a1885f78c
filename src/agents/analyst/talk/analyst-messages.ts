// Messages of the analyst about a planned analysis. A blueprint may have an empty description.

import { createMessage, type Message } from "../../../language/messages.ts";
import type { Blueprint } from "../../../protocol/pages/blueprint-schema.ts";

type DescribedAnalysis = Pick<Blueprint, "name" | "description">;

/** Creates the message that the analysis is planned, with its name and description. */
export function createPlannedMessage({ name, description }: DescribedAnalysis): Message {
  return description === ""
    ? createMessage("analyst.planned", { name })
    : createMessage("analyst.plannedWithDescription", { name, description });
}

/** Creates the question whether this other analysis should replace the current page. */
export function createReplacementQuestion({ name, description }: DescribedAnalysis): Message {
  return description === ""
    ? createMessage("analyst.otherAnalysis", { name })
    : createMessage("analyst.otherAnalysisWithDescription", { name, description });
}
