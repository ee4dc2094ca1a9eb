import { commandLine } from '#foundation/server/command-line.ts'

/** The warning that the start and `hostdesk doctor` print while no member of staff has the role owner. */
export const NO_OWNER = `No owner: nobody can give a role. Run: ${commandLine('create-staff EMAIL --role owner')}`
