import { LocaleSwitcher, ThemeSwitcher } from '#foundation/web/ui/preferences.tsx'

/** The menus for language and theme, which load after the form is shown. */
export function PagePreferences() {
  return (
    <>
      <LocaleSwitcher />
      <ThemeSwitcher />
    </>
  )
}
