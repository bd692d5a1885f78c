import { useState } from "react";
import { templateStatusSchema, type PlanTemplateSummary, type TemplateStatus } from "../../protocol/plan-template.ts";
import { halfFor } from "../bilingual.ts";
import { useDebounced } from "../conversations/debounced.ts";
import { useFormat } from "../format.ts";
import { useLanguage, useWords } from "../language.ts";
import { Card, CardFacts, CardHead, Cards, CardText } from "../ui/cards.tsx";
import { CoverLink } from "../ui/cover-link.tsx";
import { Badge, type Tone } from "../ui/badge.tsx";
import { Field } from "../ui/field.tsx";
import { More } from "../ui/more.tsx";
import { Empty, Failure, Loading } from "../ui/notice.tsx";
import { Select } from "../ui/select.tsx";
import styles from "./plans.module.css";
import { useTemplates } from "./use-plans.ts";
import { WORDS } from "./words.ts";

const STATUSES = templateStatusSchema.options;
const TONES = { draft: "plain", released: "good", archived: "warn" } as const satisfies Record<TemplateStatus, Tone>;

export function TemplateStanding({ status }: { readonly status: TemplateStatus }) {
  const say = useWords(WORDS);
  return <Badge tone={TONES[status]}>{say(status)}</Badge>;
}

export function TemplateList() {
  const say = useWords(WORDS);
  const [written, setWritten] = useState("");
  const [status, setStatus] = useState<TemplateStatus>();
  const search = useDebounced(written.trim());
  return (
    <>
      <div className={styles["filter"]}>
        <Field
          label={say("search")}
          type="search"
          maxLength={200}
          value={written}
          onChange={(event) => setWritten(event.target.value)}
        />
        <Select
          label={say("status")}
          value={status ?? ""}
          options={[["", say("all")], ...STATUSES.map((one) => [one, say(one)] as const)]}
          onChange={(value) => setStatus(STATUSES.find((one) => one === value))}
        />
      </div>
      <Found search={search} status={status} />
    </>
  );
}

function Found({ search, status }: { readonly search: string; readonly status: TemplateStatus | undefined }) {
  const say = useWords(WORDS);
  const list = useTemplates(search, status);
  const { data, error, refetch } = list;
  if (data === undefined)
    return error === null ? <Loading /> : <Failure error={error} onRetry={() => void refetch()} />;
  const all = data.pages.flatMap(({ templates }) => templates);
  const isNarrowed = search !== "" || status !== undefined;
  if (all.length === 0)
    return (
      <Empty title={say(isNarrowed ? "noMatch" : "noTemplates")}>
        {isNarrowed ? null : <p>{say("noTemplatesMore")}</p>}
      </Empty>
    );
  return (
    <>
      <Cards>
        {[...new Map(all.map((template) => [template.plan_id, template])).values()].map((template) => (
          <Row key={template.plan_id} template={template} />
        ))}
      </Cards>
      <More list={list} />
    </>
  );
}

function Row({ template }: { readonly template: PlanTemplateSummary }) {
  const say = useWords(WORDS);
  const format = useFormat();
  const language = useLanguage();
  const { plan_id, name, description, version, status, updated_at } = template;
  return (
    <Card>
      <CardHead>
        <h2>
          <CoverLink href={`/plans/${plan_id}`}>{name}</CoverLink>
        </h2>
        <TemplateStanding status={status} />
      </CardHead>
      {description === "" ? null : <CardText>{halfFor(language, description)}</CardText>}
      <CardFacts>
        <span>{plan_id}</span>
        <span>{say("version", { n: version })}</span>
        <time dateTime={new Date(updated_at).toISOString()} title={format.moment(updated_at)}>
          {say("updated", { when: format.distance(updated_at) })}
        </time>
      </CardFacts>
    </Card>
  );
}
