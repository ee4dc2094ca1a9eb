import type { Icon, IconName } from './palette-icons.ts'

/** A page that the palette opens (`to`), or an action that it does (`act`). `keys` is the shortcut that does the same on every page. */
export type Entry = PageEntry | (Shown & { act: () => void })

export type PageEntry = Shown & { to: string }

type Shown = { id: string; text: string; icon: IconName | Icon; detail?: string; keys?: string }
