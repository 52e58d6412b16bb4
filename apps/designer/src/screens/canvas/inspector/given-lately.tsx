import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/client.ts';
import { useEditingStore } from '../../../canvas/editing.ts';
import { isTooLargeToPin, pinOf } from '../../../testing/pin.ts';
import css from '../inspector.module.css';
import { PinButton } from '../testing/pin-actions.tsx';
import { nodeRunPath, useInspected } from './inspecting.ts';
import { PreviewText } from './preview-line.tsx';
import { Recorded } from './recorded.tsx';

/** What the node gave in the chosen run or test; as it is, it can be kept with the node. */
export function GivenLately() {
  const { t } = useTranslation();
  return (
    <section aria-label={t('testTab.gave')} className={css.inTab}>
      <h3>{t('testTab.gave')}</h3>
      <Recorded>
        {({ output, failure, given }) => (
          <>
            {given && <p className={css.about}>{t(`testing.given.${given}`)}</p>}
            {failure !== undefined && <p className={css.error}>{failure}</p>}
            {output ? (
              <>
                <PreviewText preview={output} label={t(`inspector.types.${output.type}`)} />
                <PinGiven />
              </>
            ) : (
              failure === undefined && <p className={css.about}>{t('inspector.noOutput')}</p>
            )}
          </>
        )}
      </Recorded>
    </section>
  );
}

/** The whole output is read when it is to be pinned only: what is shown is the beginning of a long one. */
function PinGiven() {
  const { t } = useTranslation();
  const editing = useEditingStore();
  const inspected = useInspected();
  const { node, record } = inspected;
  const path = nodeRunPath(inspected);
  const pin = useMutation({
    mutationFn: async () => {
      const { output, events } = await api.getNodeRun({ params: { runId: record.runId! }, query: { path } });
      if (output === undefined) throw new Error(t('inspector.noOutput'));
      if (isTooLargeToPin(output)) return false;
      return editing.getState().perform({ do: 'setLook', ids: [node.id], pin: pinOf(output, events) });
    },
  });
  return (
    <>
      <div>
        <PinButton
          node={node.id}
          isTooLarge={pin.data === false}
          isOff={pin.isPending}
          onPin={() => pin.mutate()}
        />
      </div>
      {pin.isPending && <p className={css.about}>{t('testTab.reading')}</p>}
      {pin.isError && (
        <p role="alert" className={css.error}>
          {pin.error.message}
        </p>
      )}
    </>
  );
}
