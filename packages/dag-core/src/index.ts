export * from './access/role.ts';
export * from './advance/all-rows.ts';
export * from './advance/apply-event.ts';
export { undoPlanOf } from './advance/compensation.ts';
export { LOSSES_BEFORE_PAUSE } from './advance/control-facts.ts';
export * from './advance/decide.ts';
export { type NotEditable, whyNotEditable } from './advance/edits.ts';
export * from './advance/facts.ts';
export * from './advance/node-run-rows.ts';
export { type Due, mayStart, mayStartWork, RunView } from './advance/run-view.ts';
export { isStopping } from './advance/stop-scope.ts';
export { MAX_RUN_NESTING, type SaidUp, wordDown, wordUp } from './advance/sub-flows.ts';
export * from './agent/call-fates.ts';
export * from './agent/conversation.ts';
export * from './agent/read-arguments.ts';
export * from './canonical/canonical-json.ts';
export * from './canonical/json-pointer.ts';
export * from './canonical/parse-json.ts';
export * from './canonical/sha256.ts';
export * from './expression/index.ts';
export { approvalRuleOf, callNameOf } from './graph/agent-graph.ts';
export { RESERVED_IDS } from './graph/check-ids.ts';
export { toolsIn } from './graph/check-tools.ts';
export * from './graph/document.ts';
export {
  type FlowRef,
  type FoundFlow,
  flowRefsIn,
  parseFlowRef,
  pinFlows,
} from './graph/flow-ref.ts';
export * from './graph/flow-schema.ts';
export * from './graph/issue.ts';
export { nodesCalling } from './graph/nodes-calling.ts';
export { readingsOf } from './graph/readings.ts';
export * from './graph/tool-declaration.ts';
export * from './graph/topology.ts';
export * from './graph/user-schema.ts';
export * from './graph/validate-flow.ts';
export * from './graph/version-id.ts';
export * from './journal/effects.ts';
export * from './journal/events.ts';
export * from './journal/fold.ts';
export { holderOf } from './journal/holder.ts';
export * from './json.ts';
export * from './kinds/index.ts';
export * from './limits/concurrency-key.ts';
export * from './limits/fair-order.ts';
export * from './limits/limit.ts';
export * from './limits/target.ts';
export * from './schedule/check-schedule.ts';
export { parseCron } from './schedule/cron.ts';
export * from './schedule/due-slots.ts';
export { fillScheduleInput, type SlotFacts } from './schedule/fill-input.ts';
export * from './schedule/overlap.ts';
export { type Calendar, nextSlot, slotsBetween } from './schedule/slots.ts';
export { localAt } from './schedule/zoned-time.ts';
export * from './state/moves.ts';
export { pollDelayMs } from './state/poll-delay.ts';
export * from './state/retry.ts';
export * from './state/run-state.ts';
export * from './state/status.ts';
export * from './testing/plan-test.ts';
export * from './testing/planned-node.ts';
export * from './testing/test-document.ts';
export * from './testing/test-setup.ts';
export { viewsBefore } from './testing/views-before.ts';
export * from './time/duration.ts';
export * from './time/instant.ts';
