import Download from 'lucide-react/icons/download'
import type { Attachment } from '#features/support/tickets/contract.ts'
import { formatBytes } from '#foundation/web/i18n/format.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog, DialogActions } from '#foundation/web/ui/dialog.tsx'
import { m } from '#texts/messages.js'
import { keepFile } from './keep-file.ts'
import { usePreview } from './preview.ts'

type Props = DialogProps & { attachment: Attachment; size: { width: number; height: number } }

/** A dialog that shows a picture of a message as large as the window allows. */
export function LargePicture({ open, onClose, attachment, size }: Props) {
  const { loaded, show, watch } = usePreview(attachment.id)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={<bdi className="[overflow-wrap:anywhere]">{attachment.name}</bdi>}
      wide="picture"
    >
      <div ref={watch} className="flex min-h-24 justify-center">
        {loaded ? (
          <img
            ref={show}
            alt={attachment.name}
            width={size.width}
            height={size.height}
            className="h-auto max-h-[70dvh] w-auto max-w-full rounded-md object-contain"
          />
        ) : null}
      </div>
      <DialogActions>
        <Button icon={<Download size={15} aria-hidden="true" />} onClick={() => void keepFile(attachment)}>
          {m.files_picture_download({ size: formatBytes(attachment.size) })}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
