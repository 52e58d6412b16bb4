import { sentimentOf } from './features.ts';
import { foldedWordsOf } from './words.ts';

/** Material and its measures, from which a label is chosen. */
export interface LabelEvidence {
  readonly text: string;
  /** 0 to 1, asked only when the labels form a scale. */
  quality(): number;
  readonly language: () => string;
  /** What the prompt says about a label (`fix: something wrong is now right.`). */
  readonly definition: (label: string) => string;
  /** A draw in [0, 1) for when nothing in the text speaks for a label. */
  readonly draw: number;
}

/**
 * Chooses one of several labels for a text: a leading tag (`fix: …`) wins, then words the text shares with the label
 * or with words that usually go with it, then a scale (good/fair/poor) by quality, then a catch-all, then the draw.
 */
export function chooseLabel(labels: readonly string[], evidence: LabelEvidence): string {
  const only = labels[0];
  if (only === undefined) return '';
  if (labels.length === 1) return only;
  return (
    labelByTag(labels, evidence.text) ??
    labelByScale(labels, evidence) ??
    labelByLanguage(labels, evidence) ??
    labelByWords(labels, evidence) ??
    catchAllOf(labels) ??
    labels[Math.floor(evidence.draw * labels.length)]!
  );
}

/** Labels for what is left over, the plainest first. */
const CATCH_ALL = [
  'other',
  'others',
  'misc',
  'miscellaneous',
  'unknown',
  'none',
  'general',
  'neutral',
  'chore',
];

function catchAllOf(labels: readonly string[]): string | undefined {
  for (const name of CATCH_ALL) {
    const found = labels.find((label) => label.toLowerCase() === name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `fix(parser)!: handle null` → the label `fix`, or one that goes with it. */
function labelByTag(labels: readonly string[], text: string): string | undefined {
  const tag = /^\s*(?:\[(\w[\w-]*)\]|(\w[\w-]*)(?:\([^)\n]*\))?!?:\s)/.exec(text);
  const word = (tag?.[1] ?? tag?.[2])?.toLowerCase();
  if (word === undefined) return undefined;
  const exact = labels.find((label) => partsOf(label).includes(word));
  if (exact !== undefined) return exact;
  const group = GROUPS.find(([name, words]) => name === word || words.includes(word));
  return group && labels.find((label) => belongsTo(label, group));
}

function labelByWords(labels: readonly string[], { text, definition }: LabelEvidence): string | undefined {
  const words = foldedWordsOf(withoutArea(text).slice(0, 20_000)).flatMap((word) => word.split(/[-.]/));
  const places = new Map<string, number[]>();
  for (const [place, word] of words.entries()) {
    const stem = stemOf(word);
    const at = places.get(stem);
    if (at === undefined) places.set(stem, [place]);
    else if (at.length < 8) at.push(place);
  }
  const weightOf = (word: string) =>
    (places.get(stemOf(word)) ?? []).reduce((sum, place) => sum + 1 / (1 + place / 4), 0);
  let best: string | undefined;
  let bestScore = 0;
  for (const label of labels) {
    const own = partsOf(label);
    const group = GROUPS.find((candidate) => belongsTo(label, candidate));
    const near = group === undefined ? [] : [group[0], ...group[1]].filter((word) => !own.includes(word));
    const defined = foldedWordsOf(definition(label)).filter(
      (word) => word.length > 4 && !own.includes(word) && !near.includes(word),
    );
    const score = 2 * sumOf(own, weightOf) + sumOf(near, weightOf) + 0.5 * sumOf(defined, weightOf);
    if (score > bestScore) {
      best = label;
      bestScore = score;
    }
  }
  return best;
}

/** `[parser] Add …` is about adding; the area in brackets is no word for a label. */
function withoutArea(text: string): string {
  return text.replace(/^\s*\[[^\]\n]{1,40}\]\s*(?=\S)/, '');
}

/** Scales whose order is known; the quality or the sentiment of the text says where on it. */
function labelByScale(labels: readonly string[], evidence: LabelEvidence): string | undefined {
  const folded = labels.map((label) => label.toLowerCase());
  for (const { measure, order } of SCALES) {
    const ranks = folded.map((label) => order.findIndex((words) => words.includes(label)));
    if (ranks.some((rank) => rank < 0)) continue;
    const value = measure === 'quality' ? evidence.quality() : sentimentOf(evidence.text);
    const byRank = [...ranks.entries()].sort((a, b) => a[1] - b[1]);
    return labels[byRank[Math.min(byRank.length - 1, Math.floor(value * byRank.length))]![0]];
  }
  return undefined;
}

function labelByLanguage(labels: readonly string[], evidence: LabelEvidence): string | undefined {
  const codes = labels.filter((label) => /^[a-z]{2}(?:-[A-Z]{2})?$/.test(label));
  if (codes.length < labels.length - 1) return undefined;
  const language = evidence.language();
  return codes.find((code) => code.startsWith(language));
}

const SCALES: readonly { measure: 'quality' | 'sentiment'; order: readonly (readonly string[])[] }[] = [
  {
    measure: 'quality',
    order: [
      ['poor', 'bad', 'low', 'fail', 'failed', 'reject', 'rejected', 'insufficient', 'thin'],
      ['fair', 'medium', 'ok', 'okay', 'acceptable', 'average', 'revise', 'mixed', 'moderate'],
      ['good', 'high', 'pass', 'passed', 'accept', 'accepted', 'approve', 'sufficient', 'rich'],
      ['excellent', 'very_high', 'great'],
    ],
  },
  {
    measure: 'sentiment',
    order: [['very_negative'], ['negative'], ['neutral', 'mixed'], ['positive'], ['very_positive']],
  },
];

/** Words that go together with a name of a class, for common classes of changes, messages and answers. */
const GROUPS: readonly (readonly [string, readonly string[]])[] = [
  [
    'fix',
    [
      'bug',
      'bugfix',
      'bugs',
      'fixes',
      'fixed',
      'hotfix',
      'correct',
      'repair',
      'resolve',
      'prevent',
      'avoid',
      'handle',
      'crash',
      'error',
      'broken',
      'regression',
      'wrong',
      'leak',
    ],
  ],
  [
    'feat',
    [
      'feature',
      'features',
      'add',
      'adds',
      'added',
      'introduce',
      'support',
      'implement',
      'allow',
      'new',
      'enable',
    ],
  ],
  ['docs', ['doc', 'documentation', 'readme', 'typo', 'comment', 'guide', 'changelog', 'jsdoc']],
  ['test', ['tests', 'testing', 'spec', 'coverage', 'fixture', 'vitest', 'jest']],
  ['perf', ['performance', 'faster', 'speed', 'optimize', 'optimise', 'cache', 'slow']],
  [
    'refactor',
    [
      'refactoring',
      'rename',
      'move',
      'extract',
      'simplify',
      'clean',
      'cleanup',
      'restructure',
      'inline',
      'remove',
    ],
  ],
  ['build', ['bundle', 'compile', 'tsconfig', 'webpack', 'rollup', 'packaging']],
  ['ci', ['workflow', 'workflows', 'pipeline', 'actions']],
  ['style', ['format', 'formatting', 'lint', 'whitespace', 'prettier', 'eslint']],
  ['revert', ['reverts', 'rollback', 'undo']],
  [
    'chore',
    [
      'bump',
      'release',
      'deps',
      'dependencies',
      'dependency',
      'upgrade',
      'version',
      'maintenance',
      'update',
      'merge',
    ],
  ],
  ['breaking', ['incompatible', 'drop', 'removed']],
  [
    'internal',
    [
      'minor',
      'cosmetic',
      'rewrite',
      'adjust',
      'tweak',
      'remove',
      'logic',
      'refactor',
      'refactoring',
      'rename',
      'cleanup',
      'clean',
      'tests',
      'test',
      'testing',
      'build',
      'ci',
      'meson',
      'cmake',
      'warning',
      'warnings',
      'lint',
      'format',
      'fuzzing',
      'coverage',
      'unused',
      'typo',
      'simplify',
      'move',
      'macro',
      'comment',
    ],
  ],
  ['security', ['vulnerability', 'cve', 'xss', 'injection', 'secret']],
  ['billing', ['invoice', 'payment', 'refund', 'charge', 'charged', 'price', 'card', 'subscription']],
  ['technical', ['error', 'crash', 'bug', 'install', 'login', 'server', 'broken']],
  ['complaint', ['angry', 'disappointed', 'terrible', 'unacceptable', 'refund']],
  ['question', ['how', 'what', 'why', 'when', 'where', 'which', 'can', 'could']],
  ['law', ['rights', 'legal', 'article', 'court', 'justice', 'treaty', 'declaration']],
  ['politics', ['congress', 'government', 'president', 'nation', 'senate', 'election', 'union']],
  [
    'speech',
    [
      'congress',
      'senate',
      'fellow',
      'citizens',
      'president',
      'tonight',
      'gentlemen',
      'speaker',
      'countrymen',
    ],
  ],
];

function belongsTo(label: string, [name, words]: readonly [string, readonly string[]]): boolean {
  return partsOf(label).some((part) => part === name || words.includes(part));
}

/** `bug_fix`, `bugFix`, `Bug fix` → bug, fix. */
function partsOf(label: string): string[] {
  return foldedWordsOf(label.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_/-]/g, ' '));
}

function stemOf(word: string): string {
  const stem = word.replace(/(?:ies|es|s|ed|ing|er)$/u, '');
  return stem.length >= 3 ? stem : word;
}

function sumOf(words: readonly string[], weightOf: (word: string) => number): number {
  return words.reduce((sum, word) => sum + weightOf(word), 0);
}
