import Languages from 'lucide-react/icons/languages'
import Monitor from 'lucide-react/icons/monitor'
import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import { localeNames } from '#foundation/web/i18n/locale-names.ts'
import { locales, setLocale, useLocale } from '#foundation/web/i18n/locale.ts'
import type { Locale } from '#foundation/web/i18n/locale.ts'
import { setTheme, themes, useTheme } from '#foundation/web/theme/theme.ts'
import { m } from '#texts/messages.js'
import { Menu, MenuItem } from './menu.tsx'

type SwitcherProps = {
  side?: 'top' | 'bottom'
  align?: 'start' | 'end'
  /** Called after the choice was stored on the device: the shell also stores the language in the profile. */
  onChoose?: (locale: Locale) => void
}

/** The menu of languages: English, Deutsch, Русский (row R-16). */
export function LocaleSwitcher({ side = 'bottom', align = 'end', onChoose }: SwitcherProps) {
  const locale = useLocale()
  const choose = (next: Locale) => {
    setLocale(next)
    onChoose?.(next)
  }
  return (
    <Menu
      label={`${m.shell_language()}: ${localeNames[locale]}`}
      side={side}
      align={align}
      triggerClass={triggerClass}
      trigger={
        <>
          <Languages size={16} aria-hidden="true" />
          <span className="word">{localeNames[locale]}</span>
        </>
      }
    >
      {locales.map((name) => (
        <MenuItem key={name} checked={name === locale} onSelect={() => choose(name)}>
          <span lang={name}>{localeNames[name]}</span>
        </MenuItem>
      ))}
    </Menu>
  )
}

/** The menu of themes: Light, Dark, Device (row R-16). */
export function ThemeSwitcher({ side = 'bottom' }: { side?: 'top' | 'bottom' }) {
  const theme = useTheme()
  const Icon = ICONS[theme]
  return (
    <Menu
      label={`${m.shell_theme()}: ${themeNames[theme]()}`}
      side={side}
      align="end"
      triggerClass={triggerClass}
      trigger={<Icon size={16} aria-hidden="true" />}
    >
      <ThemeItems />
    </Menu>
  )
}

/** The three themes as items of a menu. */
export function ThemeItems() {
  const chosen = useTheme()
  return themes.map((theme) => {
    const Icon = ICONS[theme]
    return (
      <MenuItem
        key={theme}
        icon={<Icon size={16} aria-hidden="true" />}
        checked={theme === chosen}
        onSelect={() => setTheme(theme)}
      >
        {themeNames[theme]()}
      </MenuItem>
    )
  })
}

const ICONS = { light: Sun, dark: Moon, system: Monitor } as const
export const themeNames = {
  light: m.shell_theme_light,
  dark: m.shell_theme_dark,
  system: m.shell_theme_system,
} as const

const triggerClass =
  'inline-flex h-9 cursor-pointer items-center gap-2 rounded-md px-2.5 text-sm text-muted ' +
  'transition-colors duration-150 hover:bg-hover hover:text-text'
