/** How a command ended, for scripts. 75, 65 and 67 are EX_TEMPFAIL, EX_DATAERR and EX_NOUSER of sysexits.h; the last two only end `mail receive`. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  refused: 3,
  notFound: 4,
  tryLater: 75,
  badData: 65,
  noUser: 67,
} as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** The line about exit codes in the help of every command. */
export const exitCodesHelp =
  'Exit codes: 0 done, 1 failed or something is wrong, 2 wrong use, 3 refused by a rule, 4 not found, 75 try later.'
