/** Under which names a file's bytes are kept: its public id in hex, which has no capitals that some disks do not tell apart. */
export const keyOf = (public_id: string) => Buffer.from(public_id, 'base64url').toString('hex')
export const previewKeyOf = (public_id: string) => `${keyOf(public_id)}.webp`

/** The way back; undefined for what we did not put there. */
export function publicIdIn(key: string): string | undefined {
  const [, hex] = /^([0-9a-f]{32})(?:\.webp)?$/.exec(key) ?? []
  return hex && Buffer.from(hex, 'hex').toString('base64url')
}
