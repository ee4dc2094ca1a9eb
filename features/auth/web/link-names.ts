/** Query names in the links of mails, `?verify=…`: the server writes the same (LINK_VERIFY, LINK_RESET). */
export const linkNames = { verify: 'verify', reset: 'reset', invite: 'invite' } as const
