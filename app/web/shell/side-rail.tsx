import { HomeLink } from '#foundation/web/navigation.tsx'
import { LocaleSwitcher } from '#foundation/web/ui/preferences.tsx'
import { operator } from '#foundation/web/operator.ts'
import { Mark } from '#foundation/web/ui/mark.tsx'
import { Navigation } from './navigation-items.tsx'
import { PaletteField } from './palette-button.tsx'
import { saveLanguage } from '#features/profile/web/hooks.ts'
import { UserMenu } from './user-menu.tsx'

/**
 * The rail at the left, from 768 px on: mark, navigation, and the user menu at the foot (rows ). Below 1024 px it
 * shows only icons; elements with the class `word` are then only read out.
 */
export function SideRail() {
  return (
    <div className="rail sticky top-0 hidden h-dvh w-15 shrink-0 flex-col border-r border-line bg-sunken md:flex lg:w-60 print:hidden">
      <header className="flex px-4 pt-4 pb-3 max-lg:justify-center [@media(height<61rem)]:pb-1">
        <HomeLink className="inline-flex items-center gap-2.5 rounded-md font-semibold tracking-tight">
          <Mark />
          <span className="word">{operator.name}</span>
        </HomeLink>
      </header>
      <div className="flex flex-wrap px-3 pb-4 [@media(52rem<=height<61rem)]:pb-2 [@media(height<52rem)]:pb-0">
        <PaletteField />
        <div data-bell className="size-9 shrink-0" />
      </div>
      <div className="flex-1 overflow-y-auto px-3">
        <Navigation />
      </div>
      <footer className="flex flex-col gap-1 p-3 [@media(height<52rem)]:gap-0 [@media(height<52rem)]:py-1.5">
        <div>
          <LocaleSwitcher side="top" align="start" onChoose={(locale) => void saveLanguage(locale)} />
        </div>
        <UserMenu />
      </footer>
    </div>
  )
}
