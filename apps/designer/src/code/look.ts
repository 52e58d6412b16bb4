import { EditorView } from '@codemirror/view';

/** How code fields look, in the colours of the page. */
export const look = EditorView.theme({
  '&': {
    color: 'var(--ink)',
    backgroundColor: 'var(--bg)',
    border: '1px solid var(--line2)',
    borderRadius: '6px',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
  '.cm-scroller': { maxHeight: '320px', overflow: 'auto', font: '12px / 1.55 var(--mono)' },
  '.cm-content': { padding: '5px 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 8px' },
  '.cm-chip': { backgroundColor: 'var(--accent-soft)', borderRadius: '4px', padding: '1px 0' },
  '.cm-tooltip': {
    color: 'var(--ink)',
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--line2)',
    borderRadius: '8px',
    boxShadow: 'var(--shadow-high)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { font: '12px / 1.5 var(--mono)', maxHeight: '240px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    display: 'flex',
    gap: '8px',
    alignItems: 'baseline',
    padding: '3px 10px',
    maxWidth: '520px',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    color: 'var(--ink)',
    backgroundColor: 'var(--accent-soft)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', color: 'var(--accent)', fontWeight: '600' },
  '.cm-completionDetail': {
    flex: '1',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    marginLeft: '0',
    color: 'var(--ink2)',
    fontStyle: 'normal',
    fontFamily: 'var(--sans)',
  },
  '.cm-completion-sample': {
    maxWidth: '200px',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    color: 'var(--ok)',
  },
  '.cm-diagnostic': { padding: '6px 10px', fontFamily: 'var(--sans)', maxWidth: '360px' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--fail)' },
  '.cm-diagnostic-warning': { borderLeft: '3px solid var(--unsure)' },
  '.cm-lintRange-error, .cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--fail)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-warning': { textDecorationColor: 'var(--unsure)' },
});
