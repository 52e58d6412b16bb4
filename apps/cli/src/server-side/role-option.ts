import { ROLES, type Role } from '@pawl/dag-core';
import { Argument, InvalidArgumentError, Option } from 'commander';

/** Parser of a role. */
function roleOf(text: string): Role {
  const role = ROLES.find((each) => each === text);
  if (role) return role;
  throw new InvalidArgumentError(`Expected one of ${ROLES.join(', ')}.`);
}

const WORDS = `${ROLES.join(', ')}: each may what those before it may`;

export const roleOption = (): Option => new Option('--role <role>', WORDS).argParser(roleOf);
export const roleArgument = (): Argument => new Argument('<role>', WORDS).argParser(roleOf);
