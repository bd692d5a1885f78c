import { useState } from "react";
import type { WorkflowTemplate } from "../../protocol/workflows/workflow-template.ts";
import { pickLanguage } from "../bilingual-text.ts";
import { useFormatter } from "../formatter.ts";
import { useLanguage, useWords } from "../language.ts";
import { JsonView } from "../steps/json-view.tsx";
import { BackLink } from "../ui/back-link.tsx";
import { Badge } from "../ui/badge.tsx";
import { LoadFailure, Loading } from "../ui/notice.tsx";
import { Panel } from "../ui/panel.tsx";
import { Select } from "../ui/select.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { toPlanInput } from "./template-config.ts";
import { drawTemplate } from "./drawn-workflow.ts";
import { WorkflowInstanceList } from "./workflow-instance-list.tsx";
import { WorkflowDiagram } from "./workflow-diagram.tsx";
import { TemplateActions } from "./template-actions.tsx";
import { TemplateStatusBadge } from "./template-list.tsx";
import styles from "./template-page.module.css";
import { useTemplate, useTemplateVersions } from "./use-workflows.ts";
import { WORDS } from "./words.ts";

const TEMPLATE_TABS = ["course", "json", "instances"] as const;
type TemplateTab = (typeof TEMPLATE_TABS)[number];

export function TemplatePage({ id }: { readonly id: string }) {
  const say = useWords(WORDS);
  /** Undefined: the current version, even if that changes. */
  const [version, setVersion] = useState<number>();
  const [shown, setShown] = useState<TemplateTab>("course");
  const { data: current } = useTemplate(id);
  const { data: template, error, refetch } = useTemplate(id, version);
  return (
    <Panel
      title={template?.name ?? say("template")}
      actions={current === undefined ? null : <TemplateActions template={current} />}
    >
      <BackLink href="/plans?show=templates" label={say("templates")} />
      {template === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <LoadFailure error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <>
          <TemplateHeader template={template} current={current?.version} onVersion={setVersion} />
          <Tabs
            label={say("areas")}
            tabs={TEMPLATE_TABS.map((name) => ({ name, label: say(name) }))}
            chosen={shown}
            onChoose={setShown}
          >
            <TemplateTab template={template} shown={shown} />
          </Tabs>
        </>
      )}
    </Panel>
  );
}

function TemplateTab({ template, shown }: { readonly template: WorkflowTemplate; readonly shown: TemplateTab }) {
  const say = useWords(WORDS);
  switch (shown) {
    case "course":
      return (
        <>
          <h2 className="visually-hidden">{say("course")}</h2>
          <WorkflowDiagram picture={drawTemplate(template)} />
        </>
      );
    case "json":
      return <JsonView value={toPlanInput(template)} />;
    case "instances":
      return <WorkflowInstanceList planId={template.plan_id} />;
  }
}

function TemplateHeader({
  template: { plan_id, description, version, status, updated_at },
  current = version,
  onVersion,
}: {
  readonly template: WorkflowTemplate;
  readonly current: number | undefined;
  readonly onVersion: (version: number | undefined) => void;
}) {
  const say = useWords(WORDS);
  const format = useFormatter();
  const language = useLanguage();
  const { data } = useTemplateVersions(plan_id);
  const versions = data?.versions ?? [];
  return (
    <header className={styles["about"]}>
      {description === "" ? null : <p>{pickLanguage(language, description)}</p>}
      <div className={styles["line"]}>
        <TemplateStatusBadge status={status} />
        <code>{plan_id}</code>
        <Badge>{say("version", { n: version })}</Badge>
        <span className={styles["quiet"]}>{say("updated", { when: format.relativeTime(updated_at) })}</span>
      </div>
      {status === "released" ? null : (
        <p className={styles["quiet"]}>{say(status === "archived" ? "archivedNote" : "draftNote")}</p>
      )}
      {version === current ? null : (
        <p role="status" className={styles["old"]}>
          {say("oldVersion", { n: version, current })}
        </p>
      )}
      {versions.length < 2 ? null : (
        <div className={styles["versions"]}>
          <Select
            label={say("versions")}
            value={String(version)}
            options={versions.map(({ version: n, created_at }) => {
              const words = `${say("version", { n })} · ${format.dateTime(created_at)}`;
              return [String(n), n === current ? say("current", { version: words }) : words] as const;
            })}
            onChange={(value) => onVersion(Number(value) === current ? undefined : Number(value))}
          />
        </div>
      )}
    </header>
  );
}
