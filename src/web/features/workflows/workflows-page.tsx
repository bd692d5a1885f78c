import { Plus } from "lucide-react";
import { useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { useMessages } from "../../session/language.ts";
import { Button } from "../../ui/button.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { WorkflowInstanceList } from "./workflow-instance-list.tsx";
import { TemplateEditorDialog } from "./templates/template-editor-dialog.tsx";
import { TemplateList } from "./templates/template-list.tsx";

/** The page with the lists of instances and templates, and a dialog for a new template. The URL contains the tab. */
export function WorkflowsPage() {
  const t = useMessages("workflows");
  const [, navigate] = useLocation();
  const [params] = useSearchParams();
  const [isAdding, setAdding] = useState(false);
  const shown = params.get("show") === "templates" ? "templates" : "instances";
  const add = (
    <Button look="primary" onClick={() => setAdding(true)}>
      <Plus size={16} aria-hidden />
      {t("newTemplate")}
    </Button>
  );
  return (
    <Panel title={t("title")} lead={t("lead")} actions={add}>
      <Tabs
        label={t("view")}
        tabs={[
          { name: "instances", label: t("instances") },
          { name: "templates", label: t("templates") },
        ]}
        chosen={shown}
        onChoose={(name) => navigate(name === "templates" ? "/plans?show=templates" : "/plans", { replace: true })}
      >
        {shown === "templates" ? <TemplateList /> : <WorkflowInstanceList />}
      </Tabs>
      {isAdding ? <TemplateEditorDialog template={null} onClose={() => setAdding(false)} /> : null}
    </Panel>
  );
}
