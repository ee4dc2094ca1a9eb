import { commandLine } from '#foundation/server/command-line.ts'

/** The warning of start and doctor while nobody holds the role. */
export const NO_OWNER = `No owner: nobody can give a role. Run: ${commandLine('create-staff EMAIL --role owner')}`
