import Search from 'lucide-react/icons/search'
import { IconButton } from '#foundation/web/ui/icon-button.tsx'
import { Kbd } from '#foundation/web/ui/kbd.tsx'
import { m } from '#texts/messages.js'
import { askForPalette, paletteKey } from './palette-key.ts'

/** The button in the rail that opens the palette; it also shows the palette's shortcut. */
export function PaletteField() {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={askForPalette}
      className="flex h-9 flex-1 cursor-pointer items-center gap-2.5 rounded-md border border-line bg-surface px-2.5 text-sm max-lg:justify-center max-lg:px-0 text-muted transition-colors duration-150 hover:bg-hover hover:text-text"
    >
      <Search size={16} aria-hidden="true" />
      <span className="word min-w-0 flex-1 truncate text-left">{m.shell_search()}</span>
      <span aria-hidden="true" className="word">
        <Kbd>{paletteKey}</Kbd>
      </span>
    </button>
  )
}

/** The button in the header of small screens that opens the palette. */
export const PaletteButton = () => (
  <IconButton
    label={m.shell_palette_search()}
    icon={<Search size={20} aria-hidden="true" />}
    aria-haspopup="dialog"
    onClick={askForPalette}
  />
)
