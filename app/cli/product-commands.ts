import type { Command } from './command.ts'

/** The commands for products. The code of each command is loaded on demand. */
export const productCommands: Record<string, Command> = {
  'product list': {
    about: 'Prints the products, in the order in which they are shown.',
    parameters: [],
    run: async (environment) => (await import('./products.ts')).listProducts(environment),
  },
  'product add': {
    about:
      'Adds a product; FILE is JSON with name, description (texts as {"en", "de", "ru"}) and kind, server or program.',
    parameters: ['SLUG', 'FILE'],
    run: async (environment, parameters) =>
      (await import('./products.ts')).makeProduct(environment, parameters),
  },
  'product edit': {
    about: 'Changes the fields that FILE names: name, description, sort, is_active. The kind stays.',
    parameters: ['SLUG', 'FILE'],
    run: async (environment, parameters) =>
      (await import('./products.ts')).editProduct(environment, parameters),
  },
  'product retire': {
    about: 'Sells nothing of a product any more; what was sold can still be renewed.',
    parameters: ['SLUG'],
    run: async (environment, parameters) =>
      (await import('./products.ts')).retireProduct(environment, parameters),
  },
}
