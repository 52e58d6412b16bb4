import type { Clip } from '../clipboard/clip.ts';
import { drawingsOf } from '../document/layout.ts';
import type { Draw, Label, Operation, SetLook } from './operation.ts';

/** What an operation is called in the list of what can be undone. */
export function labelOf(operation: Operation): Label {
  switch (operation.do) {
    case 'addNode':
      return { did: 'addNode', what: operation.node.id };
    case 'removeNodes':
      return { did: operation.do, ...several(operation.ids) };
    case 'duplicate': {
      const { ids, notes = [], frames = [] } = operation;
      return { did: operation.do, ...several([...ids, ...notes, ...frames]) };
    }
    case 'connect':
      return { did: 'connect', what: `${operation.edge.from} → ${operation.edge.to}` };
    case 'reconnect':
      return { did: 'reconnect', what: `${operation.to.from} → ${operation.to.to}` };
    case 'disconnect':
      return { did: 'disconnect', ...several(operation.edges.map(({ from, to }) => `${from} → ${to}`)) };
    case 'setSetting':
      if (operation.pointer === '/title') return { did: 'setTitle', what: operation.id };
      return { did: 'setSetting', what: `${operation.id}${operation.pointer}` };
    case 'setFlowSetting':
      return { did: 'setFlowSetting', what: operation.pointer };
    case 'renameNode':
      return { did: 'renameNode', what: `${operation.id} → ${operation.to}` };
    case 'arrange': {
      const { nodes = {}, notes = {}, frames = {}, as = 'move' } = operation;
      return { did: as, ...several([...Object.keys(nodes), ...Object.keys(notes), ...Object.keys(frames)]) };
    }
    case 'setLook':
      return { did: lookWord(operation), ...several(operation.ids) };
    case 'draw':
      return { did: drawWord(operation) };
    case 'wrap':
      return { did: 'wrap', what: operation.container.id };
    case 'paste':
      return { did: 'paste', ...several(namesIn(operation.clip)) };
    case 'replace':
      return { did: operation.as ?? 'replace' };
    case 'patch':
      return { did: 'patch' };
  }
}

const namesIn = (clip: Clip): string[] => [
  ...clip.nodes.map(({ id }) => id),
  ...Object.keys(drawingsOf(clip, 'note')),
  ...Object.keys(drawingsOf(clip, 'frame')),
];

/** The one that is meant, or how many. */
const several = (names: readonly string[]): Pick<Label, 'what' | 'count'> =>
  names.length === 1 ? { what: names[0]! } : { count: names.length };

const lookWord = ({ color, collapsed, pin }: SetLook): Label['did'] => {
  if (color !== undefined) return 'color';
  if (pin !== undefined) return pin === null ? 'unpin' : 'pin';
  return collapsed ? 'collapse' : 'expand';
};

const drawWord = ({ drawing, value }: Draw): Label['did'] => {
  if (value === undefined) return drawing === 'note' ? 'removeNote' : 'removeFrame';
  return drawing === 'note' ? 'editNote' : 'editFrame';
};
