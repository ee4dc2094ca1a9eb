/** The list of all servers; with a query it is narrowed (filter.ts). */
export const hostsPath = '/servers/list'
