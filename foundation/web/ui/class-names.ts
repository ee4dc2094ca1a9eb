/** Joins class names and leaves out what is absent, so that a condition can be passed in place of a class. */
export const classNames = (...names: (string | false | null | undefined)[]): string =>
  names.filter(Boolean).join(' ')
