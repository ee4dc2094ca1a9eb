/**
 * Keeps each answer of `read` for `trusted_ms`, and gives it to all callers in that time. Failures are not kept: the database may be back
 * at the next call.
 */
export function remembered<Key extends object, Value>(
  trusted_ms: number,
  read: (key: Key) => Promise<Value>,
) {
  const kept = new WeakMap<Key, { value: Promise<Value>; at_ms: number }>()
  const forget = (key: Key): void => void kept.delete(key)
  const get = (key: Key): Promise<Value> => {
    const last = kept.get(key)
    if (last && performance.now() - last.at_ms < trusted_ms) return last.value
    const value = read(key)
    kept.set(key, { value, at_ms: performance.now() })
    value.catch(() => forget(key))
    return value
  }
  return { get, forget }
}
