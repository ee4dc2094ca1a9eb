/** True for the calls that helpers may make for an account; a test compares it with what the contracts say. */
export const isDelegable = (path: string): boolean => DELEGABLE.test(path) && !OWN.test(path)

const DELEGABLE = /^\/api\/(?:hosts|plans|finances|invoices)\//u
/** The owner's alone, among them. */
const OWN = /^\/api\/invoices\/(?:billing|vat-status)\/|\/withdrawal\/$/u
