import { useRouterState } from '@tanstack/react-router'
import { Tabs } from '#foundation/web/ui/tabs.tsx'
import { m } from '#texts/messages.js'

/** Account and Security side by side above both: on small screens there is no user menu that leads to them. */
export function SettingsTabs() {
  const shown = useRouterState({ select: (state) => state.location.pathname.startsWith('/settings/') })
  if (!shown) return null
  return (
    <div className="mx-auto mb-6 max-w-2xl">
      <Tabs
        label={m.shell_settings()}
        tabs={[
          { to: '/settings/account', label: m.shell_account() },
          { to: '/settings/security', label: m.shell_security() },
        ]}
      />
    </div>
  )
}
