/** Something the palette can lead to or do. */
export type Entry = { id: string; text: string; detail?: string } & ({ to: string } | { act: () => void })
