const startedAt = performance.now();

/** A line for the person who waits; standard output is kept for the figures. */
export function note(line: string): void {
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1).padStart(6);
  process.stderr.write(`${seconds} s  ${line}\n`);
}
