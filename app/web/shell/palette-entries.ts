import { paths } from '#features/paths.ts'
import { saveLanguage } from '#features/profile/web/hooks.ts'
import { askToSwitch } from '#features/sharing/web/switch-request.ts'
import { useStaffMe } from '#features/team/web/team.ts'
import { localeNames } from '#foundation/web/i18n/locale-names.ts'
import { locales, setLocale, useLocale } from '#foundation/web/i18n/locale.ts'
import { setTheme } from '#foundation/web/theme/theme.ts'
import { m } from '#texts/messages.js'
import { allowedPages } from '../staff-features.ts'
import type { Entry, PageEntry } from './palette-entry.ts'
import { keptPermissions, useIsStaff } from './staff-menu.ts'

/** Returns the entries that lead to pages which this person may open. The palette, the keys and the list of keys have them from here. */
export function usePageEntries(): PageEntry[] {
  useLocale()
  const isStaff = useIsStaff()
  const { data: me } = useStaffMe(isStaff)
  return pageEntries(isStaff, me?.permissions ?? keptPermissions() ?? [])
}

const pageEntries = (isStaff: boolean, permissions: readonly string[]): PageEntry[] => [
  ...(isStaff ? staffEntries(permissions) : []),
  { id: 'servers', text: m.shell_servers(), icon: 'server', keys: 'g s', to: paths.hosts() },
  { id: 'support', text: m.shell_support(), icon: 'support', keys: 'g t', to: paths.tickets() },
  { id: 'finances', text: m.shell_finances(), icon: 'money', keys: 'g f', to: paths.finances() },
  {
    id: 'invoices',
    text: m.shell_palette_invoices(),
    icon: 'invoice',
    to: paths.finances({ view: 'invoices' }),
  },
  { id: 'account', text: m.shell_account(), icon: 'account', to: paths.account() },
  { id: 'security', text: m.shell_security(), icon: 'security', to: paths.security() },
]

/** Returns the entries for the pages of staff that a member with these permissions may open. */
function staffEntries(permissions: readonly string[]): PageEntry[] {
  const pages = allowedPages(permissions).map(({ path, menu: { text, icon, keys } }) => ({
    id: path,
    text: text(),
    icon,
    ...(keys === undefined ? {} : { keys }),
    to: path,
  }))
  const to = paths.announcements({ new: '' })
  const mayAnnounce = permissions.includes('announcements.publish')
  const announce: PageEntry[] = mayAnnounce ? [{ id: to, text: m.announcements_new(), icon: 'add', to }] : []
  const write: PageEntry[] = permissions.includes('help.write')
    ? [{ id: paths.help(), text: m.help_title(), icon: 'support', to: paths.help() }]
    : []
  return [...pages, ...announce, ...write].map((entry) => ({
    ...entry,
    text: `${m.shell_admin()}: ${entry.text}`,
  }))
}

/** The entries for actions that are available on every page. */
export const actionEntries = (onKeys: () => void, isStaff: boolean): Entry[] => [
  {
    id: 'switch-account',
    text: m.sharing_switch(),
    icon: 'customers',
    ...(isStaff ? {} : { keys: 'g a' }),
    act: askToSwitch,
  },
  {
    id: 'new-ticket',
    text: m.shell_palette_new_ticket(),
    icon: 'add',
    to: paths.tickets({ tab: 'open', new: '' }),
  },
  { id: 'top-up', text: m.shell_palette_top_up(), icon: 'money', to: paths.finances({ missing: '0' }) },
  { id: 'light', text: m.shell_palette_light(), icon: 'light', act: () => setTheme('light') },
  { id: 'dark', text: m.shell_palette_dark(), icon: 'dark', act: () => setTheme('dark') },
  ...locales.map((locale) => ({
    id: `language-${locale}`,
    text: `${m.shell_language()}: ${localeNames[locale]}`,
    icon: 'language' as const,
    act: () => {
      setLocale(locale)
      void saveLanguage(locale)
    },
  })),
  { id: 'keys', text: m.shell_keys(), icon: 'keys', keys: '?', act: onKeys },
  { id: 'logout', text: m.shell_logout(), icon: 'logout', to: paths.signOut() },
]
