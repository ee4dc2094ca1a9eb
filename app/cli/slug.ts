import { WrongUse } from '#foundation/server/operator-errors.ts'

/** Throws WrongUse for a text that is no slug. */
export function assertSlug(slug: string): void {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug)) throw new WrongUse('A slug is made of a-z, 0-9 and hyphens.')
}
