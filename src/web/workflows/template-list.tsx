import { useState } from "react";
import {
  workflowTemplateStatusSchema,
  type WorkflowTemplateSummary,
  type WorkflowTemplateStatus,
} from "../../protocol/workflows/workflow-template.ts";
import { pickLanguage } from "../bilingual-text.ts";
import { useDebouncedValue } from "../conversations/use-debounced-value.ts";
import { useFormatter } from "../formatter.ts";
import { useLanguage, useWords } from "../language.ts";
import { Card, CardFacts, CardHead, CardList, CardText } from "../ui/card-list.tsx";
import { CoverLink } from "../ui/cover-link.tsx";
import { Badge, type BadgeTone } from "../ui/badge.tsx";
import { Field } from "../ui/field.tsx";
import { LoadMore } from "../ui/load-more.tsx";
import { EmptyNotice, LoadFailure, Loading } from "../ui/notice.tsx";
import { Select } from "../ui/select.tsx";
import styles from "./workflows-page.module.css";
import { useTemplates } from "./use-workflows.ts";
import { WORDS } from "./words.ts";

const STATUSES = workflowTemplateStatusSchema.options;
const TEMPLATE_TONES = { draft: "plain", released: "good", archived: "warn" } as const satisfies Record<
  WorkflowTemplateStatus,
  BadgeTone
>;

export function TemplateStatusBadge({ status }: { readonly status: WorkflowTemplateStatus }) {
  const say = useWords(WORDS);
  return <Badge tone={TEMPLATE_TONES[status]}>{say(status)}</Badge>;
}

export function TemplateList() {
  const say = useWords(WORDS);
  const [searchText, setSearchText] = useState("");
  const [status, setStatus] = useState<WorkflowTemplateStatus>();
  const search = useDebouncedValue(searchText.trim());
  return (
    <>
      <div className={styles["filter"]}>
        <Field
          label={say("search")}
          type="search"
          maxLength={200}
          value={searchText}
          onChange={(event) => setSearchText(event.target.value)}
        />
        <Select
          label={say("status")}
          value={status ?? ""}
          options={[["", say("all")], ...STATUSES.map((one) => [one, say(one)] as const)]}
          onChange={(value) => setStatus(STATUSES.find((one) => one === value))}
        />
      </div>
      <TemplateResults search={search} status={status} />
    </>
  );
}

function TemplateResults({
  search,
  status,
}: {
  readonly search: string;
  readonly status: WorkflowTemplateStatus | undefined;
}) {
  const say = useWords(WORDS);
  const list = useTemplates(search, status);
  const { data, error, refetch } = list;
  if (data === undefined)
    return error === null ? <Loading /> : <LoadFailure error={error} onRetry={() => void refetch()} />;
  const all = data.pages.flatMap(({ templates }) => templates);
  const isNarrowed = search !== "" || status !== undefined;
  if (all.length === 0)
    return (
      <EmptyNotice title={say(isNarrowed ? "noMatch" : "noTemplates")}>
        {isNarrowed ? null : <p>{say("noTemplatesMore")}</p>}
      </EmptyNotice>
    );
  return (
    <>
      <CardList>
        {[...new Map(all.map((template) => [template.plan_id, template])).values()].map((template) => (
          <TemplateListCard key={template.plan_id} template={template} />
        ))}
      </CardList>
      <LoadMore list={list} />
    </>
  );
}

function TemplateListCard({ template }: { readonly template: WorkflowTemplateSummary }) {
  const say = useWords(WORDS);
  const format = useFormatter();
  const language = useLanguage();
  const { plan_id, name, description, version, status, updated_at } = template;
  return (
    <Card>
      <CardHead>
        <h2>
          <CoverLink href={`/plans/${plan_id}`}>{name}</CoverLink>
        </h2>
        <TemplateStatusBadge status={status} />
      </CardHead>
      {description === "" ? null : <CardText>{pickLanguage(language, description)}</CardText>}
      <CardFacts>
        <span>{plan_id}</span>
        <span>{say("version", { n: version })}</span>
        <time dateTime={new Date(updated_at).toISOString()} title={format.dateTime(updated_at)}>
          {say("updated", { when: format.relativeTime(updated_at) })}
        </time>
      </CardFacts>
    </Card>
  );
}
