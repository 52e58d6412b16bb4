import { Suspense, useEffect } from 'react';
import { useEditing, useEditingStore } from '../../../canvas/editing.ts';
import { findNode } from '../../../editor/index.ts';
import { later } from '../../../ui/later.tsx';
import { focusNode } from '../showing.ts';

const load = {
  connect: () => import('./connect-dialog.tsx'),
  disconnect: () => import('./disconnect-dialog.tsx'),
};
const Connect = later(async () => (await load.connect()).ConnectDialog);
const Disconnect = later(async () => (await load.disconnect()).DisconnectDialog);

/** The dialog in which a node is connected, or an edge of it removed, while one was asked for. */
export function Wiring() {
  const editing = useEditingStore();
  const wiring = useEditing((state) => state.wiring);
  const document = useEditing(({ history }) => history.document);
  // Not needed at first, and soon: also when the engine is away by then.
  useEffect(() => void Promise.all([load.connect(), load.disconnect()]).catch(() => {}), []);
  const found = wiring && findNode(document, wiring.id);
  if (!found) return null;
  const Asked = wiring.does === 'connect' ? Connect : Disconnect;
  const close = () => {
    editing.getState().set({ wiring: undefined });
    focusNode(wiring.id);
  };
  return (
    <Suspense>
      <Asked found={found} onClose={close} />
    </Suspense>
  );
}
