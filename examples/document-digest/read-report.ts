/** What a report of this flow says about one document. */
export interface ReportSection {
  readonly file: string;
  readonly language: string;
  readonly quality: number;
  readonly hasCaution: boolean;
  readonly summary: string;
  readonly keywords: readonly string[];
}

/** Takes the sections about single documents out of a report, in order. */
export function readSections(report: string): ReportSection[] {
  const documents = report.split('\n## Documents\n')[1]?.split('\n---\n')[0] ?? '';
  return documents
    .split(/^### \d+\. .*$/m)
    .slice(1)
    .map(readSection);
}

function readSection(text: string): ReportSection {
  const paragraphs = text.trim().split('\n\n');
  const facts = /^`(.+)`: (\p{Lu}?\p{Ll}+), .*, quality (\d\.\d\d)$/u.exec(paragraphs[0] ?? '');
  const keywords = /^\*Keywords:\* (.+)$/.exec(paragraphs.at(-1) ?? '');
  if (facts === null || keywords === null) throw new Error(`This is no section about a document:\n${text}`);
  return {
    file: facts[1]!,
    language: facts[2]!,
    quality: Number(facts[3]),
    hasCaution: paragraphs.some((paragraph) => paragraph.startsWith('> **Caution:**')),
    summary: paragraphs
      .slice(1, -1)
      .filter((paragraph) => !paragraph.startsWith('>'))
      .join(' '),
    keywords: keywords[1]!.split(', '),
  };
}

/** The sentences of a summary that do not occur in its source; white space and punctuation do not count. */
export function inventedSentences(summary: string, source: string): string[] {
  const known = lettersOf(source);
  return summary
    .split(/(?<=[.!?。！？।؟])/u)
    .filter((sentence) => lettersOf(sentence) !== '' && !known.includes(lettersOf(sentence)));
}

const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{M}\p{N}]/gu, '');
