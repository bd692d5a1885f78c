import type { ToolSummary } from "../../../protocol/tools/stored-tool.ts";
import { pickLanguage } from "../../ui/format/bilingual-text.ts";
import { useFormatter } from "../../ui/format/formatter.ts";
import { useLanguage, useMessages } from "../../session/language.ts";
import { Card, CardFacts, CardHead } from "../../ui/card-list.tsx";
import { CoverLink } from "../../ui/cover-link.tsx";
import { Badge } from "../../ui/badge.tsx";

/** A tool in the list of tools, linked to its page. */
export function ToolListCard({ tool }: { readonly tool: ToolSummary }) {
  const t = useMessages("tools");
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
        <Badge tone="info">{t(category)}</Badge>
        <Badge tone={run.status === "completed" ? "good" : "bad"}>{t(run.status)}</Badge>
      </CardHead>
      <p>{pickLanguage(language, description)}</p>
      <CardFacts>
        <span>{t("uses", { count: uses })}</span>
        <span>{t("version", { version })}</span>
        <time dateTime={new Date(updated).toISOString()} title={format.dateTime(updated)}>
          {t("updated", { when: format.relativeTime(updated) })}
        </time>
      </CardFacts>
    </Card>
  );
}
