import type { FlowDocument } from '@pawl/dag-core';
import type { TFunction } from 'i18next';
import { findNode, freeId, idsOf, type Refusal } from '../editor/index.ts';
import type { Editing } from './editing.ts';

/** Why something was not done, in a sentence that names what a person sees. */
export function refusalText(t: TFunction, document: FlowDocument, reason: Refusal): string {
  const name = (id: string) => findNode(document, id)?.node.title ?? id;
  switch (reason.code) {
    case 'cycle':
      return t('canvas.refused.cycle', { way: reason.loop.map(name).join(' → ') });
    case 'edge_duplicate':
      return t('canvas.refused.twice', { from: name(reason.edge.from), to: name(reason.edge.to) });
    case 'edge_self_loop':
      return t('canvas.refused.self', { name: name(reason.node) });
    case 'edge_crosses_scope': {
      const inner = [...reason.graph, ...reason.otherGraph].at(-1) ?? '';
      return t('canvas.refused.border', { name: name(inner) });
    }
    case 'port_unknown':
      return t('canvas.refused.port', { name: name(reason.node), port: reason.port });
    case 'port_duplicate':
    case 'port_reserved':
      return t('canvas.refused.portTaken', { port: reason.port });
    case 'id_duplicate':
      return t('canvas.refused.idTaken', { id: reason.id });
    case 'id_malformed':
    case 'id_reserved':
      return t('canvas.refused.idForm', { id: reason.id });
    case 'wraps_apart':
      return t('canvas.refused.apart', { names: reason.between.map(name).join(', ') });
    case 'nothing_chosen':
      return t('canvas.refused.nothing');
    case 'rewrite_missing':
      return t('state.notLoaded');
    case 'edge_unknown':
    case 'node_unknown':
    case 'graph_unknown':
    case 'setting_fixed':
    case 'setting_unreachable':
      return t('canvas.refused.gone');
  }
}

/** The way out of a circle: what an edge would have joined to one is put into a loop. */
export function wrapCircle({ history, perform }: Editing, reason: Refusal): void {
  if (reason.code !== 'cycle') return;
  const graph = findNode(history.document, reason.between[0]!)?.graph ?? [];
  const id = freeId('loop', idsOf(history.document));
  perform({ do: 'wrap', graph, ids: reason.between, container: { id, kind: 'loop', until: 'index >= 2' } });
}
