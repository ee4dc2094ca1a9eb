import type { Provider } from './provider.ts'

/** A bank transfer: the customer writes the reference on it. It counts once a bank statement or a member of staff says that it has come. */
export const bank: Provider = { name: 'bank', begin: async () => null }
