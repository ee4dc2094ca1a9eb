const MOST_HEAD = 512 * 1024

/** Returns the headers of a mail: all up to its first blank line, or the beginning of a mail that has none. */
export function headOf(bytes: Uint8Array): Uint8Array {
  const end = endOfHead(Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, MOST_HEAD)))
  return bytes.subarray(0, end)
}

/** Returns the bytes after the first blank line. */
export const bodyOf = (bytes: Uint8Array): Uint8Array =>
  bytes.subarray(endOfHead(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)))

function endOfHead(bytes: Buffer): number {
  const ends = ['\r\n\r\n', '\n\n'].map((blank) => [bytes.indexOf(blank), blank.length] as const)
  const found = ends.filter(([at]) => at >= 0).toSorted(([one], [other]) => one - other)[0]
  return found ? found[0] + found[1] : bytes.length
}
