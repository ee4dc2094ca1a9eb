import type { Host } from '#features/hosts/contract.ts'
import { RenewKeyButton } from '#features/hosts/web/hosts.ts'

/** The licence key of a server, and the button that renews it. */
export const LicenceKey = ({ host }: { host: Host }) => (
  <span className="flex flex-wrap items-center justify-end gap-2">
    <code className="font-mono text-xs select-all">{host.licence_key}</code>
    <RenewKeyButton host={host} />
  </span>
)
