import type { ToolSummary } from "../../protocol/tools.ts";
import { halfFor } from "../bilingual.ts";
import { useFormat } from "../format.ts";
import { useLanguage, useWords } from "../language.ts";
import { Card, CardFacts, CardHead } from "../ui/cards.tsx";
import { CoverLink } from "../ui/cover-link.tsx";
import { Badge } from "../ui/badge.tsx";
import { WORDS } from "./words.ts";

/** A tool in the list of tools. */
export function ToolRow({ tool }: { readonly tool: ToolSummary }) {
  const say = useWords(WORDS);
  const format = useFormat();
  const language = useLanguage();
  const { name, description, category, version, uses, last_run: run, updated_at: updated } = tool;
  return (
    <Card>
      <CardHead>
        <h2>
          <code>
            <CoverLink href={`/tools/${encodeURIComponent(name)}`}>{name}</CoverLink>
          </code>
        </h2>
        <Badge tone="info">{say(category)}</Badge>
        <Badge tone={run.status === "completed" ? "good" : "bad"}>{say(run.status)}</Badge>
      </CardHead>
      <p>{halfFor(language, description)}</p>
      <CardFacts>
        <span>{say("uses", { count: uses })}</span>
        <span>{say("version", { version })}</span>
        <time dateTime={new Date(updated).toISOString()} title={format.moment(updated)}>
          {say("updated", { when: format.distance(updated) })}
        </time>
      </CardFacts>
    </Card>
  );
}
