import type { NodeProps } from '@xyflow/react';
import { memo, Suspense } from 'react';
import type { DrawnThing } from '../../../canvas/drawn.ts';
import { later } from '../../../ui/later.tsx';

const Note = later(async () => (await import('./note.tsx')).NoteOnCanvas);
const Frame = later(async () => (await import('./frame.tsx')).FrameOnCanvas);

/** A note or a frame on the canvas. What draws them is loaded with the first one. */
export const Drawn = memo(function Drawn({ data, selected }: NodeProps<DrawnThing>) {
  const { drawing, id, value } = data;
  return (
    <Suspense>
      {drawing === 'note' && 'text' in value ? (
        <Note id={id} note={value} isSelected={selected} />
      ) : (
        'title' in value && <Frame id={id} frame={value} isSelected={selected} />
      )}
    </Suspense>
  );
});
