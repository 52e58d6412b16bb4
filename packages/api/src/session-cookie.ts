/** Name of the cookie that holds a session. */
export const SESSION_COOKIE = 'pawl_session';
