import { commandLine } from '#foundation/server/command-line.ts'

/** The line that says why production refuses to start, and what to run. The start and `hostdesk doctor` print it. */
export const examplesRefused = (emails: readonly string[]): string =>
  `NODE_ENV is production, and the database holds example accounts, some of them with passwords that everybody knows (${emails.join(', ')}). Run: ${commandLine('demo remove')} (or demo retire, where others have bookings by now)`
