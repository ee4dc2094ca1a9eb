/** Joins class names and leaves out falsy ones, so that a condition can be passed as `condition && 'class'`. */
export const classNames = (...names: (string | false | null | undefined)[]): string =>
  names.filter(Boolean).join(' ')
