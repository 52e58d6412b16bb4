import type { ButtonHTMLAttributes } from 'react';
import css from './button.module.css';

/** `primary` is the one thing a screen is for; `quiet` has no frame. */
export function Button({
  look = 'plain',
  className = '',
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & { readonly look?: 'plain' | 'primary' | 'quiet' | 'danger' }) {
  return <button type="button" className={`${css.button} ${css[look]} ${className}`} {...rest} />;
}
