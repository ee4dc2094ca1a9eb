/** The names of query values in the links of mails, as in `?verify=…`. The server writes the same names (LINK_VERIFY, LINK_RESET). */
export const linkNames = { verify: 'verify', reset: 'reset', invite: 'invite' } as const
