/**
 * Keeps each answer of `read` for `trusted_ms`, and gives it to all callers in that time. Failures are not kept: the database may be back
 * at the next call. `keyOf` names the thing that the value belongs to.
 */
export function remembered<From, Value>(
  trusted_ms: number,
  read: (from: From) => Promise<Value>,
  keyOf: (from: From) => object,
) {
  const kept = new WeakMap<object, { value: Promise<Value>; at_ms: number }>()
  const forget = (from: From): void => void kept.delete(keyOf(from))
  const get = (from: From): Promise<Value> => {
    const last = kept.get(keyOf(from))
    if (last && performance.now() - last.at_ms < trusted_ms) return last.value
    const value = read(from)
    kept.set(keyOf(from), { value, at_ms: performance.now() })
    value.catch(() => forget(from))
    return value
  }
  return { get, forget }
}
