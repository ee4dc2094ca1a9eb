/** For each address, the newest change that has no answer yet. */
const newest = new Map<string, Promise<unknown>>()

/**
 * Sends the changes of one address in the order in which they were made, each after the answer to the previous one. If two changes were
 * sent at once, the older one might arrive last and overwrite the newer one.
 */
export function inOrder<Value>(address: string, change: () => Promise<Value>): Promise<Value> {
  const before = newest.get(address)
  const mine = before ? before.then(change, change) : change()
  newest.set(address, mine)
  const forget = () => {
    if (newest.get(address) === mine) newest.delete(address)
  }
  void mine.then(forget, forget)
  return mine
}
