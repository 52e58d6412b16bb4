/** What a key or a user may do in its workspace, least first: each role may what those before it may. */
export const ROLES = ['viewer', 'operator', 'editor', 'admin'] as const;

/**
 * - `viewer` reads;
 * - `operator` also keeps runs moving: starts, stops, decides;
 * - `editor` also changes what runs: drafts, versions, schedules, webhooks;
 * - `admin` also says who may what, and how much.
 */
export type Role = (typeof ROLES)[number];

/** Whether who has a role may do what needs another. */
export const isEnough = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed);
