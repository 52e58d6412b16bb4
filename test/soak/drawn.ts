/** One of them at random, each as often as its weight says next to the others. */
export function drawn<T extends { readonly weight: number }>(all: readonly T[], random: () => number): T {
  const at = random() * all.reduce((sum, { weight }) => sum + weight, 0);
  let passed = 0;
  for (const each of all) {
    passed += each.weight;
    if (at < passed) return each;
  }
  return all[0]!;
}
