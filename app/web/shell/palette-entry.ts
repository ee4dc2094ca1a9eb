import type { IconName } from './palette-icons.ts'

/** Something the palette can lead to or do; `keys` are those that do the same from anywhere. */
export type Entry = { id: string; text: string; icon: IconName; detail?: string; keys?: string } & (
  | { to: string }
  | { act: () => void }
)
