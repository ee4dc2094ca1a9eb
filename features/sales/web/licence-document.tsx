import Download from 'lucide-react/icons/download'
import type { Host } from '#features/hosts/contract.ts'
import { getDocument } from '#features/licences/contract.ts'
import { download } from '#foundation/web/api/download.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button, buttonClass } from '#foundation/web/ui/button.tsx'
import { Copyable } from '#foundation/web/ui/copyable.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { m } from '#texts/messages.js'
import { useDocument } from './hooks.ts'

/** The signed licence to copy or to save as a file, and how to verify it without a network. */
export function LicenceDocument({ host, open, onClose }: DialogProps & { host: Host }) {
  const query = useDocument(host.id)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      wide
      title={m.sales_document()}
      description={m.sales_document_text()}
    >
      <div className="flex flex-col gap-4">
        <Loaded query={query} failed={m.sales_document_failed()} waiting="h-36">
          {(text) => <Copyable label={m.sales_document_signed()} text={text} />}
        </Loaded>
        <div>
          <Copyable label={m.sales_verify()} text={verifyLine(host)} />
          <p className="mt-1.5 text-sm text-pretty text-muted">{m.sales_verify_text()}</p>
        </div>
      </div>
      <DialogActions>
        <Button onClick={onClose}>{m.ui_close()}</Button>
        <a href={KEYS_PATH} download={KEYS_FILE} className={buttonClass('secondary')}>
          {m.sales_keys_download()}
        </a>
        <DownloadButton host={host} />
      </DialogActions>
    </Dialog>
  )
}

function DownloadButton({ host }: { host: Host }) {
  const save = useAct(async () => {
    const answer = await download(getDocument, { params: { hostId: host.id } }, fileOf(host))
    const [error] = answer.errors
    if (error) toastError(() => errorText(error), answer)
  })
  return (
    <Button
      look="primary"
      icon={<Download size={16} aria-hidden="true" />}
      pending={save.pending}
      onClick={save.run}
    >
      {m.sales_document_download()}
    </Button>
  )
}

const fileOf = ({ id }: Host) => `licence-${id}.jws`

const KEYS_PATH = '/.well-known/jwks.json'
const KEYS_FILE = 'jwks.json'

/**
 * The command that verifies the licence with the program that comes with the agent (agent/README.md). It needs
 * both files in one folder, and no network.
 */
const verifyLine = (host: Host): string =>
  `node /usr/local/lib/hostdesk-agent/verify.mjs ${fileOf(host)} --keys ${KEYS_FILE} ${addressOf(host)}`

/** Returns the option with the address of the host. If that is a network (a /64), the machine's own addresses are checked (`own`). */
const addressOf = ({ ipv4, ipv6 }: Host): string =>
  ipv4 === null && ipv6 !== null ? `--ipv6 ${ipv6.includes('/') ? 'own' : ipv6}` : `--ipv4 ${ipv4 ?? 'any'}`
