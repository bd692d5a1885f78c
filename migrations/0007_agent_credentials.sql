-- What a registered agent is called with: sealed where the deployment has a secret to seal with.

ALTER TABLE agent ADD COLUMN credentials TEXT;
