/** Returns the name of a stored file: its public id in hex, because some disks do not distinguish capital letters. */
export const keyOf = (public_id: string) => Buffer.from(public_id, 'base64url').toString('hex')
export const previewKeyOf = (public_id: string) => `${keyOf(public_id)}.webp`

/** Returns the public id in the name of a stored file or preview; undefined for any other name. */
export function publicIdIn(key: string): string | undefined {
  const [, hex] = /^([0-9a-f]{32})(?:\.webp)?$/.exec(key) ?? []
  return hex && Buffer.from(hex, 'hex').toString('base64url')
}
