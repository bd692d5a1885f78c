import type { Schedule } from "../../../protocol/schedules/schedule.ts";
import { useMessages } from "../../session/language.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { showToast } from "../../ui/toast.tsx";
import { useDeleteSchedule } from "./use-schedules.ts";

/**
 * Asks for confirmation and deletes a schedule. Calls `onRemoved` after the deletion, before the caches are updated.
 * Shows an error in the dialog.
 */
export function RemoveScheduleDialog({
  schedule: { schedule_id: id, title },
  onRemoved,
  onClose,
}: {
  readonly schedule: Schedule;
  readonly onRemoved?: () => void;
  readonly onClose: () => void;
}) {
  const t = useMessages("schedules");
  const remove = useDeleteSchedule(id);
  const confirm = async () => {
    await remove(onRemoved);
    showToast(t("removed", { title }));
  };
  return (
    <ConfirmDialog title={t("removeTitle", { title })} action={t("remove")} onConfirm={confirm} onClose={onClose}>
      <p>{t("removeMore")}</p>
    </ConfirmDialog>
  );
}
