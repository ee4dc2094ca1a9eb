import { commandLine } from '#foundation/server/command-line.ts'

/** The reason why production does not start, and the way out. Said at the start and by `hostdesk doctor`. */
export const examplesRefused = (emails: readonly string[]): string =>
  `NODE_ENV is production, and the database holds example accounts, some of them with passwords that everybody knows (${emails.join(', ')}). Run: ${commandLine('demo remove')} (or demo retire, where others have bookings by now)`
