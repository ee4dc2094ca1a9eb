/** The last guard against a path that leaves the folder: a caller that asks for another key has a bug. */
export function assertKey(key: string): void {
  if (!/^[0-9a-f]{8,64}(\.[a-z]{1,8})?$/.test(key)) throw new Error('not a key of the storage')
}
