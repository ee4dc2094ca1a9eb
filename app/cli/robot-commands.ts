import type { Command } from './command.ts'

/** The commands for robots, members of staff that are no person. The code of each command is loaded on demand. */
export const robotCommands: Record<string, Command> = {
  'robot list': {
    about: 'Prints the robots of the team, with roles and tokens.',
    parameters: [],
    run: async (environment) => (await import('./robots.ts')).list(environment),
  },
  'robot create': {
    about: 'Makes a member of staff that is no person, and mails the owners.',
    parameters: ['NAME'],
    options: { '--role <ROLES>': 'support, billing, admin, several with commas, instead of support' },
    run: async (environment, parameters, options) =>
      (await import('./robots.ts')).create(environment, parameters, options),
  },
  'robot token': {
    about:
      'Makes a token of a robot, prints its secret this once, and mails the owners. ID is that of the list.',
    parameters: ['ID'],
    options: {
      '--name <NAME>': 'where it is used, instead of command line',
      '--days <DAYS>': 'its end: 30, 90 or 365, instead of 90',
    },
    run: async (environment, parameters, options) =>
      (await import('./robots.ts')).token(environment, parameters, options),
  },
  'robot end': {
    about: 'Ends a robot at once, with its tokens and requests. ID is that of the list.',
    parameters: ['ID'],
    options: { '--reason <TEXT>': 'for the audit log and the mails' },
    run: async (environment, parameters, options) =>
      (await import('./robots.ts')).end(environment, parameters, options),
  },
}
