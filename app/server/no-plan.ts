import { paths } from '#features/paths.ts'
import { PAGES_BASE } from '#foundation/page-path.ts'
import { commandLine } from '#foundation/server/command-line.ts'

/** The warning that the start in production and `hostdesk doctor` print while nothing is for sale. */
export const NO_PLAN = `No plan: customers can buy nothing. Make one on ${PAGES_BASE}${paths.catalogue()}, or run: ${commandLine('plan add --help')}`
