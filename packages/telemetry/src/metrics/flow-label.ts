/** Flows told apart by name; those that come later are told together, so that the number of series stays bounded. */
const MOST_FLOWS = 200;

/** Gives each flow its label: its name, or `other` once there are too many. */
export class FlowLabel {
  readonly #names = new Set<string>();

  of(flow: string): string {
    if (this.#names.has(flow)) return flow;
    if (this.#names.size >= MOST_FLOWS) return 'other';
    this.#names.add(flow);
    return flow;
  }
}
