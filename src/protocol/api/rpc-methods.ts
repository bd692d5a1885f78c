// The names of the RPC methods of the `Orrery` entrypoint. They stand apart from the table of operations, so that the
// Worker can start without evaluating it. A test compares the two.

export const RPC_METHODS: readonly string[] = `
  agent agents analyse answer ask cancel cancelPlanInstance cancelTask context createConversation
  createDataset createPlanTemplate dataset datasetCsv datasetRows deleteConversation deleteDataset
  deletePage deletePlanTemplate deleteSchedule deleteTool events execute follow generatePage items
  linkPage listConversations listDatasets listPages listPlanInstances listPlanTemplates listSchedules
  listTools loadSample page pageLinks planInstance planPage planTemplate planTemplateVersions plans profile
  previewAgent queryDataset readConversation registerAgent registerApp removeAgent renamePage resume
  resumePlanInstance runPage runResults runSchedule schedule send setAgentEnabled setPlanTemplateStatus
  startPlanInstance task tasks tool unlinkPage updateConversation updateDataset updatePlanTemplate updateProfile
  updateSchedule
`
  .trim()
  .split(/\s+/);
