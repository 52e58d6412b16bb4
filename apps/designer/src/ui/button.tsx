import type { Role } from '@pawl/dag-core';
import type { ButtonHTMLAttributes } from 'react';
import { useWhyNot } from '../access/why-not.ts';
import css from './button.module.css';

/**
 * `primary` is the one thing a screen is for; `quiet` has no frame. Who has less than the role it `needs` finds it off, with the reason.
 */
export function Button({
  look = 'plain',
  needs,
  className = '',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly look?: 'plain' | 'primary' | 'quiet' | 'danger';
  readonly needs?: Role;
}) {
  const whyNot = useWhyNot(needs);
  const off = whyNot === undefined ? {} : { disabled: true, title: whyNot };
  return <button type="button" className={`${css.button} ${css[look]} ${className}`} {...rest} {...off} />;
}
