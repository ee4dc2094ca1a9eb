import { roles, type Role } from '#foundation/roles.ts'
import { WrongUse } from '#foundation/server/operator-errors.ts'

/** Reads roles from a text such as 'support,billing'. Throws WrongUse for a word that is no role. */
export const readRoles = (words: string): Role[] => words.split(',').map(readRole)

function readRole(word: string): Role {
  const role = roles.find((known) => known === word.trim())
  if (!role) throw new WrongUse(`'${word}' is no role. Roles are ${roles.join(', ')}, several with commas.`)
  return role
}
