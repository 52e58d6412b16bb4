import type { Probe } from './contract.ts';
import { watchDrawing } from './drawing-watch.ts';
import { watchFrames } from './frame-watch.ts';
import { places } from './places.ts';
import { expectShown } from './shown-watch.ts';
import { watchStatuses } from './status-watch.ts';

// Put into every page before anything of its own runs.
declare global {
  var probe: Probe;
}

globalThis.probe = { ...watchDrawing(), ...watchFrames(), ...places, ...expectShown(), ...watchStatuses() };
