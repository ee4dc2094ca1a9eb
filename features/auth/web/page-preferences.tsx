import { LocaleSwitcher, ThemeSwitcher } from '#foundation/web/ui/preferences.tsx'

/** Language and theme, whose menus come after the form has shown. */
export function PagePreferences() {
  return (
    <>
      <LocaleSwitcher />
      <ThemeSwitcher />
    </>
  )
}
