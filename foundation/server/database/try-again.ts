/**
 * Thrown inside a transaction that found other rows than those it has locked, and may not lock more of them in this order (rule 9):
 * `transaction` runs its work again from the start. After the last try the answer is 503 with Retry-After.
 */
export class TryAgain extends Error {
  constructor() {
    super('Other transactions have changed what this one has locked.')
  }
}
