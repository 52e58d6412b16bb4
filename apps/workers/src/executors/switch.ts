import type { Done, PureExecutor, Step } from '../runtime/step.ts';
import { evaluated, failed } from './evaluated.ts';
import { isTrue } from './truth.ts';

/** K: takes the port of the first true case, or of all of them; none: `default`. The output names the ports. */
export const switchNode: PureExecutor = (step) => {
  const { cases = [] } = step.compiled;
  const { config } = step.node;
  const isAll = config.kind === 'switch' && config.mode === 'all';
  return decide(step, cases, isAll, 0, []);
};

function decide(
  step: Step,
  cases: NonNullable<Step['compiled']['cases']>,
  isAll: boolean,
  from: number,
  taken: string[],
): Done | Promise<Done> {
  for (let i = from; i < cases.length; i++) {
    const { port, when } = cases[i]!;
    const done = evaluated(step, when, {}, (value) => ({ type: 'succeeded', output: value }));
    if (done instanceof Promise) {
      return done
        .then((answer) => {
          if (answer.type !== 'succeeded') return answer;
          const ports = isTrue(answer.output) ? [...taken, port] : taken;
          return ports.length > 0 && !isAll ? chosen(ports) : decide(step, cases, isAll, i + 1, ports);
        })
        .catch(failed);
    }
    if (done.type !== 'succeeded') return done;
    if (isTrue(done.output)) taken.push(port);
    if (taken.length > 0 && !isAll) break;
  }
  return chosen(taken);
}

const chosen = (ports: string[]): Done => {
  const live = ports.length > 0 ? ports : ['default'];
  return { type: 'succeeded', output: { ports: live }, ports: live };
};
