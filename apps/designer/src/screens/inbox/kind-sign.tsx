import { CircleQuestionMark, TriangleAlert, UserCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { InboxKindWord } from '../../inbox/question.ts';
import css from './inbox-screen.module.css';

const SIGNS = { approval: UserCheck, uncertain: CircleQuestionMark, failure: TriangleAlert } as const;

/** What kind of question it is: colour, sign and word. */
export function KindSign({ kind }: { readonly kind: InboxKindWord }) {
  const { t } = useTranslation();
  const Sign = SIGNS[kind];
  return (
    <span className={`${css.kind} ${css[kind]}`}>
      <Sign size={13} aria-hidden="true" />
      {t(`inbox.kinds.${kind}`)}
    </span>
  );
}
