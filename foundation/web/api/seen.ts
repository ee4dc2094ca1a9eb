import { isSamePerson, seeSession, type SeenSession } from './stored-session.ts'

/** The things that a call saw when it began (rule 57): the session, and how often loaded data had changed by then. */
type Seen = { session: SeenSession; changes: number }

/** Every answer of a call: it stores by what its call saw. */
export type Answered = { seen: Seen }

let changes = 0

/** Counts one more change of loaded data. Returns its number: a call that saw a lower one began before the change. */
export const countChange = (): number => (changes += 1)

export const seeNow = (session: SeenSession = seeSession()): Seen => ({ session, changes })

/** True while the person for whom a call was made is the one at the screen, whatever tokens were renewed meanwhile. */
export const isForPerson = ({ seen }: Answered): boolean => isSamePerson(seen.session)
