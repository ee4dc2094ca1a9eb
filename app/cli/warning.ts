/** A finding that doctor lists without failing: it must not break a deploy, because other people can cause it or it may be intended. */
export class Warning extends Error {}
