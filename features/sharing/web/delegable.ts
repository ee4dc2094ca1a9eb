/**
 * True if the path is of a call that helpers may make for an account, and that has to name the account; a test compares this with
 * the contracts. The calls of a ticket and of files are left out, because a ticket belongs to one account: a message that waits for the network
 * may belong to another account than the one in sight.
 */
export const isDelegable = (path: string): boolean => DELEGABLE.test(path) && !OWN.test(path)

const DELEGABLE =
  /^\/api\/(?:hosts|alerts|plans|finances|invoices)\/|^\/api\/(?:sharing\/activity|events\/history)\/$|^\/api\/tickets\/(?:(?:unread|expected)\/)?$/u
/** The calls among them that only the owner may make. */
const OWN =
  /^\/api\/invoices\/(?:billing|vat-status|vat-place)\/|\/withdrawal\/$|^\/api\/finances\/(?:payouts\/$|methods\/(?:saving\/|[^/]+\/))|^\/api\/finances\/auto-top-up\/|^\/api\/hosts\/(?:transfers\/|[^/]+\/transfer\/$)/u
