/** How much more or less the right side is, as `+0.4 s (+33 %)`; an empty text where it is the same. */
export function difference(left: number, right: number, show: (amount: number) => string): string {
  if (left === right) return '';
  const sign = right > left ? '+' : '−';
  const share =
    left === 0 ? '' : ` (${sign}${Math.round((Math.abs(right - left) / Math.abs(left)) * 100)} %)`;
  return `${sign}${show(Math.abs(right - left))}${share}`;
}
