import type { CompiledTemplate } from '../expression/index.ts';
import type { TemplateField } from '../kinds/index.ts';
import { compileField } from './check-references.ts';

/**
 * Templates of the last two checks, compiled. Whoever checks one document again and again, a little changed each time, compiles only
 * what is new: that is most of what a check of a large flow takes.
 */
export class KnownTemplates {
  #before = new Map<string, CompiledTemplate>();
  #now = new Map<string, CompiledTemplate>();

  /** A check begins: what the last one did not meet is forgotten. */
  begin(): void {
    this.#before = this.#now;
    this.#now = new Map();
  }

  /** The compiled template of a field; by its text, so it may be of another document. */
  compile(field: TemplateField): CompiledTemplate {
    const key = `${field.as} ${JSON.stringify(field.template)}`;
    const compiled = this.#now.get(key) ?? this.#before.get(key) ?? compileField(field);
    this.#now.set(key, compiled);
    return compiled;
  }
}
