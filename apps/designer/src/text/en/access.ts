/** Signing in. */
export const access = {
  access: {
    roles: { viewer: 'Viewer', operator: 'Operator', editor: 'Editor', admin: 'Admin' },
    may: {
      viewer: 'Sees flows, runs and what waits for people.',
      operator: 'Also starts, stops and repairs runs, and decides what waits for a person.',
      editor: 'Also draws and publishes flows, and makes schedules and webhooks.',
      admin: 'Also manages members, API keys and limits.',
    },
    onlyLook: 'You can look at this flow, not change it.',
    needs: 'This needs the role {{needed}} or more; yours is {{role}}.',
    passwordHint: 'At least 12 characters; a few words are easy to remember.',
    passwordShort: 'Take at least 12 characters.',
    copy: 'Copy',
    copied: 'Copied',
    kept: 'I have kept it',
  },
  signIn: {
    title: 'Sign in to Pawl',
    name: 'Name',
    password: 'Password',
    key: 'API key',
    otherWorkspace: 'Another workspace',
    workspace: 'Workspace',
    go: 'Sign in',
    withKey: 'Sign in with an API key',
    withPassword: 'Sign in with name and password',
    help: 'No account yet? An admin of the workspace makes one.',
    failed: {
      password: 'Name and password do not fit. An admin can set a new password.',
      key: 'This key is not in force here. See that it was copied whole.',
    },
    slowed_one: 'Too many tries. Wait {{count}} second, then try again.',
    slowed_other: 'Too many tries. Wait {{count}} seconds, then try again.',
    again: 'Sign in again',
    againText: 'Your session has ended. What is on this page stays as it is.',
  },
};
