import type { Command } from './command.ts'
import { mailInCommands } from './mail-in-commands.ts'

const reason = { '--reason <TEXT>': 'for the audit log' }

/** The commands for tickets, and for the mails that become some. The code of each command is loaded on demand. */
export const ticketCommands: Record<string, Command> = {
  ...mailInCommands,
  'ticket assign': {
    about:
      'Hands a ticket over to a member of staff. NUMBER is that of the ticket, MEMBER a confirmed address or an id.',
    parameters: ['NUMBER', 'MEMBER'],
    options: { ...reason, '--note <TEXT>': 'an internal note for the new assignee' },
    run: async (environment, parameters, options) =>
      (await import('./tickets.ts')).assignTicket(environment, parameters, options),
  },
  'ticket spam': {
    about: 'Closes a ticket as spam: its customer gets no mail about it. NUMBER is that of the ticket.',
    parameters: ['NUMBER'],
    options: { ...reason, '--undo': 'open a ticket that was closed as spam' },
    run: async (environment, parameters, options) =>
      (await import('./tickets.ts')).markSpam(environment, parameters, options),
  },
}
