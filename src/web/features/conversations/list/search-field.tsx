import { Search, X } from "lucide-react";
import { useRef } from "react";
import { useMessages } from "../../../session/language.ts";
import { IconButton } from "../../../ui/button.tsx";
import styles from "./search-field.module.css";

/** A search input. Escape and a button clear it and keep the focus. */
export function SearchField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const t = useMessages("conversations");
  const input = useRef<HTMLInputElement>(null);
  const clear = () => {
    onChange("");
    input.current?.focus();
  };
  return (
    <search className={styles["search"]}>
      <Search size={16} aria-hidden />
      <input
        ref={input}
        type="text"
        enterKeyHint="search"
        autoComplete="off"
        maxLength={200}
        aria-label={t("search")}
        placeholder={t("search")}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || value === "") return;
          event.preventDefault();
          event.stopPropagation();
          clear();
        }}
      />
      {value === "" ? null : (
        <IconButton label={t("clearSearch")} onClick={clear}>
          <X size={16} aria-hidden />
        </IconButton>
      )}
    </search>
  );
}
