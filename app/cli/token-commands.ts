import type { Command } from './command.ts'

/** The commands for tokens by which programs act for customers. The code of each command is loaded on demand. */
export const tokenCommands: Record<string, Command> = {
  'token list': {
    about: 'Lists the tokens by which programs act for the account of this id or confirmed address.',
    parameters: ['CUSTOMER'],
    run: async (environment, parameters) => (await import('./tokens.ts')).list(environment, parameters),
  },
  'token end': {
    about: 'Ends a token at once, and mails its owner. ID is that of the list.',
    parameters: ['ID'],
    options: { '--reason <TEXT>': 'for the audit log' },
    run: async (environment, parameters, options) =>
      (await import('./tokens.ts')).end(environment, parameters, options),
  },
}
