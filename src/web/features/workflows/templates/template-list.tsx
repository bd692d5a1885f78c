import { useState } from "react";
import {
  workflowTemplateStatusSchema,
  type WorkflowTemplateSummary,
  type WorkflowTemplateStatus,
} from "../../../../protocol/workflows/workflow-template.ts";
import { pickLanguage } from "../../../ui/format/bilingual-text.ts";
import { useDebouncedValue } from "../../../ui/text-input.ts";
import { useFormatter } from "../../../ui/format/formatter.ts";
import { useLanguage, useMessages } from "../../../session/language.ts";
import { Card, CardFacts, CardHead, CardList, CardText, CoverLink } from "../../../ui/card-list.tsx";
import { Badge, type BadgeTone } from "../../../ui/badge.tsx";
import { Field, Select } from "../../../ui/field.tsx";
import { EmptyNotice, LoadFailure, Loading, LoadMore } from "../../../ui/notice.tsx";
import styles from "../workflows-page.module.css";
import { useTemplates } from "../use-workflows.ts";

const STATUSES = workflowTemplateStatusSchema.options;
const TEMPLATE_TONES = { draft: "plain", released: "good", archived: "warn" } as const satisfies Record<
  WorkflowTemplateStatus,
  BadgeTone
>;

/** The status of a template. */
export function TemplateStatusBadge({ status }: { readonly status: WorkflowTemplateStatus }) {
  const t = useMessages("workflows");
  return <Badge tone={TEMPLATE_TONES[status]}>{t(status)}</Badge>;
}

/** The list of templates, with a search text and a status as filters. */
export function TemplateList() {
  const t = useMessages("workflows");
  const [searchText, setSearchText] = useState("");
  const [status, setStatus] = useState<WorkflowTemplateStatus>();
  const search = useDebouncedValue(searchText.trim());
  return (
    <>
      <div className={styles["filter"]}>
        <Field
          label={t("search")}
          type="search"
          maxLength={200}
          value={searchText}
          onChange={(event) => setSearchText(event.target.value)}
        />
        <Select
          label={t("status")}
          value={status ?? ""}
          options={[["", t("all")], ...STATUSES.map((one) => [one, t(one)] as const)]}
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
  const t = useMessages("workflows");
  const list = useTemplates(search, status);
  const { data, error, refetch } = list;
  if (data === undefined)
    return error === null ? <Loading /> : <LoadFailure error={error} onRetry={() => void refetch()} />;
  const all = data.pages.flatMap(({ templates }) => templates);
  const isNarrowed = search !== "" || status !== undefined;
  if (all.length === 0)
    return (
      <EmptyNotice title={t(isNarrowed ? "noMatch" : "noTemplates")}>
        {isNarrowed ? null : <p>{t("noTemplatesMore")}</p>}
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
  const t = useMessages("workflows");
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
        <span>{t("version", { n: version })}</span>
        <time dateTime={new Date(updated_at).toISOString()} title={format.dateTime(updated_at)}>
          {t("updated", { when: format.relativeTime(updated_at) })}
        </time>
      </CardFacts>
    </Card>
  );
}
