/**
 * Makes a function that acts at once and then at most every `ms`; what was asked meanwhile is done once, at the end of the pause.
 *
 * @param ms milliseconds
 */
export function atMostEvery(ms: number, act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsked = false;
  const begin = () => {
    isAsked = false;
    act();
    timer = setTimeout(() => {
      timer = undefined;
      if (isAsked) begin();
    }, ms);
  };
  return () => {
    if (timer === undefined) begin();
    else isAsked = true;
  };
}
