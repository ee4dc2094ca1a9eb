import type { Command } from './command.ts'
import { allOption } from './pages.ts'

/** The commands for servers of customers. The code of each command is loaded on demand. */
export const hostCommands: Record<string, Command> = {
  'host list': {
    about: 'Lists the servers of all customers, the newest first, or those whose paid term ends first.',
    parameters: [],
    options: {
      '--state <WORD>': 'alert (an open one), offline, ends_soon, wrong_machine or suspended',
      '--plan <SLUG>': 'only servers with this plan now',
      '--country <CODE>': 'only servers of customers in this country, such as DE',
      ...allOption,
    },
    run: async (environment, _parameters, options) =>
      (await import('./host-list.ts')).listHosts(environment, options),
  },
  'host transfer': {
    about:
      'Offers a server to another account for its owner, who is mailed and may withdraw it. SERVER is its id, ADDRESS that of the account.',
    parameters: ['SERVER', 'ADDRESS'],
    options: { '--reason <TEXT>': 'for the audit log' },
    run: async (environment, parameters, options) =>
      (await import('./hosts.ts')).transferHost(environment, parameters, options),
  },
  'host suspend': {
    about:
      'Suspends a server, whose licence does not count from then on; its paid term runs on. SERVER is its id.',
    parameters: ['SERVER'],
    options: {
      '--reason <TEXT>': 'for the audit log',
      '--cause <WORD>': 'charge_back, debt, abuse or other (unless another is named)',
      '--message <TEXT>': 'for the customer, in the mail and on the page of the server',
    },
    run: async (environment, parameters, options) =>
      (await import('./hosts.ts')).suspendHost(environment, parameters, options),
  },
  'host address': {
    about:
      'Gives a server other addresses, beyond the limit of changes; those that are not named stay. SERVER is its id.',
    parameters: ['SERVER'],
    options: {
      '--ipv4 <ADDRESS>': 'the IPv4, or none',
      '--ipv6 <ADDRESS>': 'the IPv6 or the /64, or none',
      '--reason <TEXT>': 'for the audit log',
    },
    run: async (environment, parameters, options) =>
      (await import('./hosts.ts')).addressHost(environment, parameters, options),
  },
  'host allow': {
    about:
      'Lets the owner of a server change its addresses and release its machines anew, as often as the limits say. SERVER is its id.',
    parameters: ['SERVER'],
    options: { '--reason <TEXT>': 'for the audit log' },
    run: async (environment, parameters, options) =>
      (await import('./hosts.ts')).allowHost(environment, parameters, options),
  },
  'host resume': {
    about: 'Lifts the suspension of a server. SERVER is its id.',
    parameters: ['SERVER'],
    options: { '--reason <TEXT>': 'for the audit log' },
    run: async (environment, parameters, options) =>
      (await import('./hosts.ts')).resumeHost(environment, parameters, options),
  },
}
