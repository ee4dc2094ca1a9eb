/** Joins class names and leaves out what is absent, so that a condition can stand where the class would. */
export const classNames = (...names: (string | false | null | undefined)[]): string =>
  names.filter(Boolean).join(' ')
