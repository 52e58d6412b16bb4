import type { ModelRequest } from '@pawl/tool-sdk';
import { REPAIR_OPENING } from '../repair-prompt.ts';

/** A prompt taken apart: what is asked, and the material it is asked about. */
export interface ReadPrompt {
  /** System messages and the asking part of the last user message. */
  readonly instruction: string;
  /** The material as text; JSON material as the texts inside it. */
  readonly content: string;
  /** The material as JSON, where it is JSON. */
  readonly data?: unknown;
}

const TASK_VERBS =
  /^(?:please\s+|now\s+|you\s+(?:are|will)\b|your task\b)?(?:summari[sz]e|classify|categori[sz]e|merge|combine|condense|rewrite|write|draft|translate|extract|label|describe|answer|rate|judge|score|grade|list|name|decide|choose|pick|assign|return|respond|reply|explain|group|review|compare|read|analy[sz]e|create|generate|produce|compose|turn|give|find|determine|tell|you (?:are|will|get|receive)|your task|in \d+|the following|below)\b/i;

/** Separates the instruction of a prompt from its material, by marks, by form, by wording; all of it when unsure. */
export function readPrompt(request: ModelRequest): ReadPrompt {
  const system = request.messages
    .filter((message) => message.role === 'system')
    .map(({ content }) => content);
  const users = request.messages.filter((message) => message.role === 'user').map(({ content }) => content);
  const asked = splitMessage(materialMessage(users));
  const others = users.filter((text) => text !== materialMessage(users));
  const instruction = [...system, ...others, asked.instruction].filter(Boolean).join('\n\n');
  const data = jsonOf(asked.content);
  if (data === undefined) return { instruction, content: asked.content };
  return { instruction, content: textsInside(data).join('\n\n'), data };
}

/** The longest user message holds the material, the last one of equals; what asks for a repair holds none. */
function materialMessage(users: string[]): string {
  return users
    .filter((text) => !text.startsWith(REPAIR_OPENING))
    .reduce((longest, text) => (text.length >= longest.length ? text : longest), '');
}

function splitMessage(message: string): { instruction: string; content: string } {
  const text = message.trim();
  if (text === '' || looksLikeJson(text)) return { instruction: '', content: text };
  const framed = /^<([a-z][\w-]*)>\s*([\s\S]*?)\s*<\/\1>$/i.exec(text);
  if (framed !== null) return { instruction: '', content: framed[2]! };
  const marked =
    /<([a-z][\w-]*)>\s*([\s\S]+?)\s*<\/\1>|```[^\n]*\n([\s\S]+?)\n```|"""\s*([\s\S]+?)\s*"""/i.exec(text);
  if (marked !== null) {
    const content = marked[2] ?? marked[3] ?? marked[4] ?? '';
    // Markup inside the material is not a frame: the frame holds most of the message, or a task stands before it.
    if (content.length * 3 > text.length || TASK_VERBS.test(text)) {
      return { instruction: text.replace(content, () => ' '), content };
    }
  }
  return splitParagraphs(text) ?? splitAtColon(text) ?? { instruction: '', content: text };
}

/** Leading and trailing paragraphs that ask for something are instruction. */
function splitParagraphs(text: string): { instruction: string; content: string } | undefined {
  const paragraphs = text.split(/\n\s*\n|\n-{3,}\n/);
  if (paragraphs.length < 2) return undefined;
  let from = 0;
  let to = paragraphs.length;
  while (from < to - 1 && asks(paragraphs[from]!)) from += 1;
  while (to > from + 1 && TASK_VERBS.test(paragraphs[to - 1]!.trim()) && paragraphs[to - 1]!.length < 600)
    to -= 1;
  if (from === 0 && to === paragraphs.length) return undefined;
  const outside = [...paragraphs.slice(0, from), ...paragraphs.slice(to)];
  return { instruction: outside.join('\n\n'), content: paragraphs.slice(from, to).join('\n\n') };
}

const LABEL_LINE =
  /^(?:(?:here (?:is|are)|this is|these are)\b.*|(?:the |your )?(?:document|text|input|content|passage|commit|article|e?-?mail|message|data|summaries|changes|notes|question|task)s?(?: \w+)?):$/i;

function asks(paragraph: string): boolean {
  const text = paragraph.trim();
  return text.length < 1200 && (TASK_VERBS.test(text) || LABEL_LINE.test(text));
}

/** `Classify the commit: fix: handle null` and `Summarise this:` on the line above the material. */
function splitAtColon(text: string): { instruction: string; content: string } | undefined {
  if (!TASK_VERBS.test(text)) return undefined;
  const match =
    /^([^\n]{0,600}?[:：])(?:\s+|(?=[[{]))([\s\S]+)$/.exec(text) ?? /^([^\n]{0,600})\n([\s\S]+)$/.exec(text);
  if (match === null) return undefined;
  return { instruction: match[1]!, content: match[2]! };
}

function looksLikeJson(text: string): boolean {
  return /^[[{]/.test(text) && jsonOf(text) !== undefined;
}

/** The material as an object or array: all of it, or each of its lines. */
function jsonOf(text: string): unknown {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed)) return undefined;
  const whole = parsed(trimmed);
  if (whole !== undefined) return whole;
  const lines = trimmed.split(/\n+/).map(parsed);
  return lines.length > 1 && lines.every((line) => line !== undefined) ? lines : undefined;
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Every text inside a JSON value that reads like language, in order. */
export function textsInside(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(textsInside);
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsInside);
  return [];
}
