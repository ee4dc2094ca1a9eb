/** A finding that doctor lists without failing: it may not break a deploy, because others can cause it or it may be meant. */
export class Warning extends Error {}
