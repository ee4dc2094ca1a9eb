/**
 * True for the calls that helpers may make for an account; a test compares it with what the contracts say. A ticket says by itself whose it
 * is: the message that waits for the network may be for another account than the one in sight.
 */
export const isDelegable = (path: string): boolean => DELEGABLE.test(path) && !OWN.test(path)

const DELEGABLE =
  /^\/api\/(?:hosts|plans|finances|invoices)\/|^\/api\/sharing\/activity\/$|^\/api\/tickets\/(?:unread\/)?$/u
/** The owner's alone, among them. */
const OWN =
  /^\/api\/invoices\/(?:billing|vat-status)\/|\/withdrawal\/$|^\/api\/hosts\/(?:transfers\/|[^/]+\/transfer\/$)/u
