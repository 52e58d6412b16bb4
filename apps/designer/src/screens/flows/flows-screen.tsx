import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, Upload } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../access/me.ts';
import { api } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { FlowTable } from './flow-table.tsx';
import css from './flows-screen.module.css';
import { ImportDialog } from './import-dialog.tsx';
import { NewFlowDialog } from './new-flow-dialog.tsx';
import { StartDialog } from './start-dialog.tsx';
import { StarterCards } from './starter-cards.tsx';

type Open =
  | { readonly what: 'new' }
  | { readonly what: 'import'; readonly text: string }
  | { readonly what: 'start'; readonly flow: string; readonly version: string };

/** Largest file that is read, in bytes. */
const LARGEST = 10 * 1_024 * 1_024;

/** The flows of the workspace; what is searched for is in the address. */
export function FlowsScreen() {
  const { t } = useTranslation();
  const { search = '' } = useSearch({ from: '/flows' });
  const navigate = useNavigate({ from: '/flows' });
  const [open, setOpen] = useState<Open>();
  const [trouble, setTrouble] = useState('');
  const mayDraw = useMay('editor');
  const flows = useQuery({
    queryKey: ['flows'],
    queryFn: ({ signal }) => api.listFlows({ signal }),
    refetchInterval: 5_000,
  });
  const importFile = async (file: File | undefined) => {
    if (!file) return;
    setTrouble(file.size > LARGEST ? t('flows.tooLarge') : '');
    if (file.size <= LARGEST) setOpen({ what: 'import', text: await file.text() });
  };
  const isDropping = useDropsAndPastes({
    isOff: open !== undefined || !mayDraw,
    onFile: (file) => void importFile(file),
    onText: (text) => setOpen({ what: 'import', text }),
  });
  const all = flows.data?.items ?? [];
  const wanted = search.toLowerCase();
  const found = all.filter(({ name, title = '' }) => `${name}\n${title}`.toLowerCase().includes(wanted));
  const close = () => setOpen(undefined);
  return (
    <Page
      title={t('flows.title')}
      isBare
      actions={
        <>
          {all.length > 0 && (
            <input
              className={css.search}
              type="search"
              aria-label={t('flows.search')}
              placeholder={t('flows.search')}
              defaultValue={search}
              onChange={({ target }) =>
                void navigate({ search: { search: target.value || undefined }, replace: true })
              }
            />
          )}
          <Button needs="editor" onClick={() => setOpen({ what: 'import', text: '' })}>
            <Upload size={15} aria-hidden="true" />
            {t('flows.import')}
          </Button>
          <Button look="primary" needs="editor" onClick={() => setOpen({ what: 'new' })}>
            <Plus size={15} aria-hidden="true" />
            {t('flows.new')}
          </Button>
        </>
      }
    >
      <div className={css.screen}>
        {trouble && (
          <p className={css.trouble} role="alert">
            {trouble}
          </p>
        )}
        {flows.isPending && <p className={css.note}>{t('state.loading')}</p>}
        {flows.isError && (
          <p className={css.note} role="alert">
            {flows.error.message}
          </p>
        )}
        {flows.isSuccess && all.length === 0 && <StarterCards />}
        {all.length > 0 && found.length === 0 && (
          <p className={css.note}>{t('flows.noneFound', { search })}</p>
        )}
        {found.length > 0 && (
          <FlowTable flows={found} onStart={(flow, version) => setOpen({ what: 'start', flow, version })} />
        )}
        {isDropping && <div className={css.drop}>{t('flows.dropHere')}</div>}
      </div>
      {open?.what === 'new' && <NewFlowDialog flows={all} onClose={close} />}
      {open?.what === 'import' && <ImportDialog text={open.text} flows={all} onClose={close} />}
      {open?.what === 'start' && <StartDialog flow={open.flow} version={open.version} onClose={close} />}
    </Page>
  );
}

/** Files dropped on the window, and texts pasted where nothing is typed. Gives whether a file hovers over it. */
function useDropsAndPastes(options: {
  readonly isOff: boolean;
  readonly onFile: (file: File | undefined) => void;
  readonly onText: (text: string) => void;
}): boolean {
  const [isDropping, setDropping] = useState(false);
  const latest = useRef(options);
  latest.current = options;
  useEffect(() => {
    const over = new AbortController();
    const { signal } = over;
    const listen = <N extends keyof WindowEventMap>(name: N, heard: (event: WindowEventMap[N]) => void) =>
      window.addEventListener(name, heard, { signal });
    listen('dragover', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setDropping(!latest.current.isOff);
    });
    listen('dragleave', (event) => event.relatedTarget === null && setDropping(false));
    listen('drop', (event) => {
      setDropping(false);
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      if (!latest.current.isOff) latest.current.onFile(event.dataTransfer.files[0]);
    });
    listen('paste', (event) => {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea');
      if (!latest.current.isOff && !isTyping && text.trim()) latest.current.onText(text);
    });
    return () => over.abort();
  }, []);
  return isDropping;
}
