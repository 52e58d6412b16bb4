import type { CallArgs, CallResult, Routes } from '@pawl/api';

// The values of the API under short names.
export type Effect = CallResult<Routes['listEffects']>['items'][number];
export type EffectDetail = CallResult<Routes['getEffect']>;
export type Flow = CallResult<Routes['getFlow']>;
export type FlowVersion = CallResult<Routes['getVersion']>;
export type Artifact = CallResult<Routes['getArtifact']>;
export type Run = CallResult<Routes['getRun']>;
export type RunSummary = CallResult<Routes['listRuns']>['items'][number];
export type NodeRun = CallResult<Routes['listNodeRuns']>['items'][number];
export type NodeRunDetail = CallResult<Routes['getNodeRun']>;
export type InboxItem = CallResult<Routes['listInbox']>['items'][number];
export type InboxQuestion = CallResult<Routes['getQuestion']>;
export type InboxAnswer = CallArgs<Routes['answerQuestion']>['body'];
export type CallLimit = CallResult<Routes['listLimits']>['items'][number];
export type KeptSignal = CallResult<Routes['listSignals']>['items'][number];
export type WaitingFor = NonNullable<Run['waitingFor']>;
export type Schedule = CallResult<Routes['getSchedule']>;
export type SlotRecord = NonNullable<Schedule['lastSlot']>;
export type Webhook = CallResult<Routes['getWebhook']>;
