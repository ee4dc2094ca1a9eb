import type { Provider } from './provider.ts'

/** A bank transfer: the customer writes the reference on it, and a member of staff confirms its arrival. */
export const bank: Provider = { name: 'bank', begin: async () => null }
