import type { Command } from './command.ts'

/** The command for the mail server, which hands over a mail at its standard input. */
export const mailInCommands: Record<string, Command> = {
  'mail receive': {
    about:
      'Stores the mail at standard input, for a pipe of the mail server. Exit codes: 0 stored, 75 try later, 67 no such address, 65 no mail, or too large.',
    parameters: [],
    options: { '--to <ADDRESS>': 'the recipient that the mail server delivers to' },
    passes: true,
    run: async (environment, _parameters, options) =>
      (await import('./mail-in.ts')).receiveMail(environment, options),
  },
}
