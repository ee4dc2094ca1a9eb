const [MAGIC, SECTIONS_AT, SEGMENTS_AT, SEGMENT_SIZE, SEGMENT_COUNT, SECTION_COUNT, SECTION_NAMES] = [
  0x7f454c46, 0x28, 0x20, 0x36, 0x38, 0x3c, 0x3e,
] as const

/**
 * Returns a 64-bit ELF program without its symbols and its table of sections, which only debuggers read, and which lie behind all
 * that is loaded. They are a tenth of Node's bytes. `strip` does the same, but not for any architecture, nor alike on every
 * machine. Throws if this is no such program.
 */
export function withoutSymbols(program: Buffer): Buffer {
  if (program.readUInt32BE(0) !== MAGIC || program[4] !== 2)
    throw new Error('This is no ELF program of 64 bits.')
  const first = Number(program.readBigUInt64LE(SEGMENTS_AT))
  const size = program.readUInt16LE(SEGMENT_SIZE)
  let end = 0
  for (let index = 0; index < program.readUInt16LE(SEGMENT_COUNT); index++) {
    const segment = first + index * size
    end = Math.max(end, Number(program.readBigUInt64LE(segment + 8) + program.readBigUInt64LE(segment + 32)))
  }
  const kept = Buffer.from(program.subarray(0, end))
  kept.writeBigUInt64LE(0n, SECTIONS_AT)
  kept.writeUInt16LE(0, SECTION_COUNT)
  kept.writeUInt16LE(0, SECTION_NAMES)
  return kept
}
