import type { JsonSchema, Template } from '@pawl/dag-core';
import type { Preview } from './preview.ts';

/** What the page asks about a recorded run. `scopePath`: '' for the run, `each/3` for an item of a map or a turn of a loop. */
export type Question =
  /** What a template gives there. */
  | {
      readonly ask: 'evaluate';
      readonly runId: string;
      readonly scopePath: string;
      readonly template: Template;
      readonly as: 'value' | 'text' | 'expression';
      readonly schema?: JsonSchema | undefined;
    }
  /** What paths of expressions lead to. */
  | {
      readonly ask: 'look';
      readonly runId: string;
      readonly scopePath: string;
      readonly paths: readonly (readonly string[])[];
    }
  /** What a node run was given, and what it gave. */
  | { readonly ask: 'nodeRun'; readonly runId: string; readonly path: string };

/** One node run, as much of it as a page shows. */
export interface NodeRunPreview {
  readonly status: string;
  readonly attempt: number;
  readonly readings: readonly { readonly path: string; readonly value?: Preview | undefined }[];
  /** What was sent, and to whom; of an effect only. */
  readonly request?: { readonly target: string; readonly value: Preview } | undefined;
  readonly output?: Preview | undefined;
  readonly failure?: string | undefined;
  /** Of a test: nothing was called for its output, it was given. */
  readonly given?: 'pinned' | 'recorded' | 'mocked' | undefined;
}

export interface Answers {
  readonly evaluate: Preview;
  readonly look: readonly (Preview | undefined)[];
  readonly nodeRun: NodeRunPreview;
}

/** Why there is no answer. `code` has a text of its own in the catalogue, or `message` says it. */
export interface Trouble {
  readonly code: string;
  readonly message: string;
  /** The node that is meant. */
  readonly what?: string | undefined;
}

/** A question on its way; `begun` comes back when everything is read and only the evaluation is left. */
export type ToWorker = Question & { readonly number: number };
export type FromWorker = { readonly number: number } & (
  | { readonly begun: true }
  | { readonly answer: Answers[Question['ask']] }
  | { readonly trouble: Trouble }
);
