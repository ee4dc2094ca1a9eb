/** True for the calls that helpers may make for an account; a test compares it with what the contracts say. */
export const isDelegable = (path: string): boolean => DELEGABLE.test(path)

const DELEGABLE = /^\/api\/hosts\//u
