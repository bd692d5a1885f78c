import { useQueryClient } from "@tanstack/react-query";
import { Archive, FilePen, GitBranchPlus, Play, Rocket } from "lucide-react";
import { useState } from "react";
import type { WorkflowTemplate, WorkflowTemplateStatus } from "../../../../protocol/workflows/workflow-template.ts";
import { useMessages } from "../../../session/language.ts";
import { api } from "../../../session/full-api.ts";
import { Button } from "../../../ui/button.tsx";
import { Menu, type MenuItem } from "../../../ui/overlay/menu.tsx";
import { showToast, showErrorToast } from "../../../ui/toast.tsx";
import { TemplateStatusDialog } from "./template-status-dialog.tsx";
import { TemplateEditorDialog } from "./template-editor-dialog.tsx";
import { StartWorkflowDialog } from "./start-workflow-dialog.tsx";

type TemplateDialogKind = "start" | "version" | "release" | "archive" | null;

/**
 * The actions that the status of a template allows: start (unless it is archived), new version, release, archive, and
 * back to draft.
 */
export function TemplateActions({ template }: { readonly template: WorkflowTemplate }) {
  const t = useMessages("workflows");
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<TemplateDialogKind>(null);
  const { plan_id, name, status } = template;
  const close = () => setDialog(null);
  const setStatus = async (next: WorkflowTemplateStatus) => {
    await api.setPlanTemplateStatus(plan_id, { status: next });
    showToast(t(({ draft: "isDraft", released: "isReleased", archived: "isArchived" } as const)[next], { name }));
    await Promise.all([
      queries.invalidateQueries({ queryKey: ["templates"] }),
      queries.invalidateQueries({ queryKey: ["template", plan_id] }),
    ]);
  };
  const draft: MenuItem = {
    label: t("makeDraft"),
    icon: <FilePen size={16} aria-hidden />,
    onSelect: () => void setStatus("draft").catch(showErrorToast),
  };
  const release: MenuItem = {
    label: t("release"),
    icon: <Rocket size={16} aria-hidden />,
    onSelect: () => setDialog("release"),
  };
  const version: MenuItem = {
    label: t("newVersion"),
    icon: <GitBranchPlus size={16} aria-hidden />,
    onSelect: () => setDialog("version"),
  };
  const archive: MenuItem = {
    label: t("archive"),
    icon: <Archive size={16} aria-hidden />,
    isDangerous: true,
    onSelect: () => setDialog("archive"),
  };
  const items = {
    draft: [version, release, archive],
    released: [version, draft, archive],
    archived: [draft],
  }[status];
  return (
    <>
      {status === "archived" ? null : (
        <Button look="primary" onClick={() => setDialog("start")}>
          <Play size={16} aria-hidden />
          {t("start")}
        </Button>
      )}
      <Menu items={items} />
      {dialog === "start" ? <StartWorkflowDialog template={template} onClose={close} /> : null}
      {dialog === "version" ? <TemplateEditorDialog template={template} onClose={close} /> : null}
      {dialog === "release" || dialog === "archive" ? (
        <TemplateStatusDialog
          title={t(dialog === "release" ? "releaseTitle" : "archiveTitle", { name })}
          words={t(dialog === "release" ? "releaseMore" : "archiveMore")}
          action={t(dialog)}
          isDangerous={dialog === "archive"}
          onConfirm={() => setStatus(dialog === "release" ? "released" : "archived")}
          onClose={close}
        />
      ) : null}
    </>
  );
}
