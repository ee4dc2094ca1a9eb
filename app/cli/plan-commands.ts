import type { Command } from './command.ts'

/** The commands for plans and their prices. The code of each command is loaded on demand. */
export const planCommands: Record<string, Command> = {
  'plan list': {
    about: 'Prints what is sold, with net prices.',
    parameters: [],
    run: async (environment) => (await import('./plans.ts')).listPlans(environment),
  },
  'plan add': {
    about: 'Sells something new; TERM is P1M, P3M or P1Y, PRICE is net, like 19.90.',
    parameters: ['SLUG', 'TERM', 'PRICE', 'ENGLISH', 'GERMAN', 'RUSSIAN'],
    options: { '--edition <SLUG>': 'the edition that it is a term of, instead of one named after it' },
    run: async (environment, parameters, options) =>
      (await import('./plans.ts')).addPlan(environment, parameters, options),
  },
  'plan edit': {
    about: 'Changes price and names from now on; what was ordered stays as it was.',
    parameters: ['SLUG', 'PRICE', 'ENGLISH', 'GERMAN', 'RUSSIAN'],
    options: { '--from <TIME>': 'from when on the price counts, like 2026-12-01, instead of now' },
    run: async (environment, parameters, options) =>
      (await import('./plans.ts')).editPlan(environment, parameters, options),
  },
  'plan price': {
    about:
      'Sets a price; a higher one reaches renewals 30 days after orders at the earliest, with a mail to each.',
    parameters: ['PLAN', 'AMOUNT'],
    options: {
      '--from <TIME>': 'from when on orders pay it, like 2026-12-01, instead of now',
      '--renewals-from <TIME>': 'from when on renewals pay it',
    },
    run: async (environment, parameters, options) =>
      (await import('./plans.ts')).pricePlan(environment, parameters, options),
  },
  'plan move': {
    about: 'Puts a plan into another place of the list that customers see: before another one, or last.',
    parameters: ['SLUG'],
    options: { '--before <SLUG>': 'the plan that comes after it' },
    run: async (environment, [slug = ''], options) =>
      (await import('./plans.ts')).movePlan(environment, slug, options),
  },
  'plan replace': {
    about:
      'Renews the servers of a retired plan with another one of its term, 30 days after a mail to each at the earliest.',
    parameters: ['SLUG', 'OTHER'],
    options: {
      '--from <TIME>': 'from when on renewals are with the other plan, like 2026-12-01',
      '--dry-run': 'says how many would move, and what they would pay',
    },
    run: async (environment, parameters, options) =>
      (await import('./plan-moves.ts')).replacePlan(environment, parameters, options),
  },
  'plan keep': {
    about: 'Takes back that the servers of a plan renew with another one, before it counts.',
    parameters: ['SLUG'],
    run: async (environment, [slug = '']) => (await import('./plan-moves.ts')).keepPlan(environment, slug),
  },
  'plan retire': {
    about: 'Sells it no more; who has it may renew it.',
    parameters: ['SLUG'],
    run: async (environment, [slug = '']) => (await import('./plans.ts')).offerPlan(environment, slug, false),
  },
  'plan offer': {
    about: 'Sells a retired plan again.',
    parameters: ['SLUG'],
    run: async (environment, [slug = '']) => (await import('./plans.ts')).offerPlan(environment, slug, true),
  },
}
