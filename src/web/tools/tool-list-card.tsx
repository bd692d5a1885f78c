import type { ToolSummary } from "../../protocol/tools/stored-tool.ts";
import { pickLanguage } from "../bilingual-text.ts";
import { useFormatter } from "../formatter.ts";
import { useLanguage, useWords } from "../language.ts";
import { Card, CardFacts, CardHead } from "../ui/card-list.tsx";
import { CoverLink } from "../ui/cover-link.tsx";
import { Badge } from "../ui/badge.tsx";
import { WORDS } from "./words.ts";

/** A tool in the list of tools. */
export function ToolListCard({ tool }: { readonly tool: ToolSummary }) {
  const say = useWords(WORDS);
  const format = useFormatter();
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
      <p>{pickLanguage(language, description)}</p>
      <CardFacts>
        <span>{say("uses", { count: uses })}</span>
        <span>{say("version", { version })}</span>
        <time dateTime={new Date(updated).toISOString()} title={format.dateTime(updated)}>
          {say("updated", { when: format.relativeTime(updated) })}
        </time>
      </CardFacts>
    </Card>
  );
}
