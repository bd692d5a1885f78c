import { useState } from "react";
import type { WorkflowTemplate } from "../../../../protocol/workflows/workflow-template.ts";
import { pickLanguage } from "../../../ui/format/bilingual-text.ts";
import { useFormatter } from "../../../ui/format/formatter.ts";
import { useLanguage, useMessages } from "../../../session/language.ts";
import { JsonView } from "../../../ui/format/json-view.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { LoadFailure, Loading } from "../../../ui/notice.tsx";
import { Panel, BackLink } from "../../../ui/panel.tsx";
import { Select } from "../../../ui/field.tsx";
import { Tabs } from "../../../ui/tabs.tsx";
import { toPlanInput } from "./template-config.ts";
import { drawTemplate } from "../diagram/drawn-workflow.ts";
import { WorkflowInstanceList } from "../workflow-instance-list.tsx";
import { WorkflowDiagram } from "../diagram/workflow-diagram.tsx";
import { TemplateActions } from "./template-actions.tsx";
import { TemplateStatusBadge } from "./template-list.tsx";
import styles from "./template-page.module.css";
import { useTemplate, useTemplateVersions } from "../use-workflows.ts";

const TEMPLATE_TABS = ["course", "json", "instances"] as const;
type TemplateTab = (typeof TEMPLATE_TABS)[number];

/** The page of a template, in its current or an older version: diagram, JSON, and instances. */
export function TemplatePage({ id }: { readonly id: string }) {
  const t = useMessages("workflows");
  /** Undefined: the current version, even if that changes. */
  const [version, setVersion] = useState<number>();
  const [shown, setShown] = useState<TemplateTab>("course");
  const { data: current } = useTemplate(id);
  const { data: template, error, refetch } = useTemplate(id, version);
  return (
    <Panel
      title={template?.name ?? t("template")}
      actions={current === undefined ? null : <TemplateActions template={current} />}
    >
      <BackLink href="/plans?show=templates" label={t("templates")} />
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
            label={t("view")}
            tabs={TEMPLATE_TABS.map((name) => ({ name, label: t(name) }))}
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
  const t = useMessages("workflows");
  switch (shown) {
    case "course":
      return (
        <>
          <h2 className="visually-hidden">{t("course")}</h2>
          <WorkflowDiagram workflow={drawTemplate(template)} />
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
  const t = useMessages("workflows");
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
        <Badge>{t("version", { n: version })}</Badge>
        <span className="quiet">{t("updated", { when: format.relativeTime(updated_at) })}</span>
      </div>
      {status === "released" ? null : (
        <p className="quiet">{t(status === "archived" ? "archivedNote" : "draftNote")}</p>
      )}
      {version === current ? null : (
        <p role="status" className={styles["old"]}>
          {t("oldVersion", { n: version, current })}
        </p>
      )}
      {versions.length < 2 ? null : (
        <div className={styles["versions"]}>
          <Select
            label={t("versions")}
            value={String(version)}
            options={versions.map(({ version: n, created_at }) => {
              const words = `${t("version", { n })} · ${format.dateTime(created_at)}`;
              return [String(n), n === current ? t("current", { version: words }) : words] as const;
            })}
            onChange={(value) => onVersion(Number(value) === current ? undefined : Number(value))}
          />
        </div>
      )}
    </header>
  );
}
