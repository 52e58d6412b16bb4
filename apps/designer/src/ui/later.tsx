import { type ComponentType, lazy } from 'react';
import { NotLoaded } from './not-loaded.tsx';

/** A part of a screen that is loaded when it is first shown; where it does not come, what stands in for it. */
export const later = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  instead: ComponentType<Props> = NotLoaded as ComponentType<Props>,
) =>
  lazy<ComponentType<Props>>(() =>
    load().then(
      (loaded) => ({ default: loaded }),
      () => ({ default: instead }),
    ),
  );
