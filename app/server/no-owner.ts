import { commandLine } from '#foundation/server/command-line.ts'

/** What start and doctor say while nobody holds the role. */
export const NO_OWNER = `No owner: nobody can give a role. Run: ${commandLine('staff role EMAIL owner')}`
