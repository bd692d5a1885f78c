-- Agents that are configured, not written: the definition as it was registered. Their `url` is null.

ALTER TABLE agent ADD COLUMN app TEXT;
