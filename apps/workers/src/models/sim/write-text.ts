import { chooseLabel } from './choose-label.ts';
import type { Hints } from './hints.ts';
import { evidenceOf, type Material, summaryOf, titleFor } from './material.ts';
import { textsInside } from './prompt.ts';
import { joinSentences, keySentences } from './summarise.ts';

/** A plain-text answer in the form the instruction asks for: label, title, sections, list, report or summary. */
export function writeText(instruction: string, material: Material, hints: Hints): string {
  const labels = labelsIn(instruction);
  if (labels !== undefined) {
    return chooseLabel(labels, evidenceOf(material));
  }
  if (material.text.trim() === '') return 'There is no text to work on.';
  if (hints.title) return titleFor(material, hints);
  const sections = sectionsOf(material.data);
  if (sections !== undefined) return sections;
  if (hints.bullets) return bulletsOf(material, hints.items ?? 5);
  if (
    /\b(?:markdown|report|digest|article|release notes)\b/i.test(instruction) &&
    hints.words === undefined
  ) {
    return `# ${titleFor(material, hints)}\n\n${summaryOf(material, hints)}\n\n${bulletsOf(material, hints.items ?? 4)}`;
  }
  return summaryOf(material, hints);
}

/** `Answer with one of: bug, feature or question`. */
function labelsIn(instruction: string): string[] | undefined {
  const found =
    /\b(?:one of|either)(?: these| the following)?(?: words| labels| classes)?:?\s*((?:["'`]?[\w-]+["'`]?(?:\s*(?:,\s*or|,|\/|\||\bor\b)\s*))+["'`]?[\w-]+)/i.exec(
      instruction,
    );
  if (found === null) return undefined;
  const labels = found[1]!
    .split(/\s*(?:,\s*or\b|,|\/|\||\bor\b)\s*/)
    .map((label) => label.replace(/["'`]/g, '').trim());
  return labels.filter((label) => label !== '');
}

/** Groups of things (`{ fix: [...], feat: [...] }`) as headed lists. */
function sectionsOf(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return undefined;
  const groups = Object.entries(data).filter((entry): entry is [string, unknown[]] =>
    Array.isArray(entry[1]),
  );
  if (groups.length === 0 || groups.length < Object.keys(data).length / 2) return undefined;
  return groups
    .filter(([, items]) => items.length > 0)
    .map(([name, items]) => `## ${name}\n\n${items.map((item) => `- ${lineOf(item)}`).join('\n')}`)
    .join('\n\n');
}

const LINE_KEYS = ['summary', 'title', 'subject', 'message', 'text', 'name', 'description'];

function lineOf(item: unknown): string {
  if (typeof item === 'object' && item !== null && !Array.isArray(item)) {
    const key = LINE_KEYS.find((name) => typeof (item as Record<string, unknown>)[name] === 'string');
    if (key !== undefined) return firstLine((item as Record<string, string>)[key]!);
  }
  return firstLine(textsInside(item).join(' '));
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0]!;
}

function bulletsOf(material: Material, count: number): string {
  return keySentences(material.read(), count)
    .map((sentence) => `- ${joinSentences([sentence])}`)
    .join('\n');
}
