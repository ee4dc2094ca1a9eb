import { lazyPart } from '#foundation/web/lazy-page.tsx'

export { TokenSecret } from './token-secret.tsx'

/** The tokens of a customer, on the customer's page for staff. */
export const TokensOf = lazyPart<{ userId: string }>(() =>
  import('./tokens-of.tsx').then((file) => file.TokensOf),
)
