import File from 'lucide-react/icons/file'
import type { Attachment } from '#features/support/tickets/contract.ts'
import { formatBytes } from '#foundation/web/i18n/format.ts'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { m } from '#texts/messages.js'
import { keepFile } from './keep-file.ts'
import { usePreview } from './preview.ts'

/** The files of a message: pictures as previews, all others as lines to download. */
export function MessageFiles({ attachments }: { attachments: readonly Attachment[] }) {
  if (attachments.length === 0) return null
  return (
    <ul aria-label={m.files_title()} className="mt-2 flex flex-col items-start gap-2 first:mt-0">
      {attachments.map((attachment) => (
        <li key={attachment.id} className="max-w-full">
          {attachment.preview ? (
            <Picture attachment={attachment} size={attachment.preview} />
          ) : (
            <FileLine attachment={attachment} />
          )}
        </li>
      ))}
    </ul>
  )
}

function FileLine({ attachment }: { attachment: Attachment }) {
  const { name, size } = attachment
  return (
    <button
      type="button"
      title={m.files_download({ name, size: formatBytes(size) })}
      onClick={() => void keepFile(attachment)}
      className="flex max-w-full cursor-pointer items-center gap-2 rounded-md border border-line bg-surface px-3 py-2 text-left text-sm text-text hover:bg-hover"
    >
      <File size={16} aria-hidden="true" className="shrink-0 text-muted" />
      <bdi className="min-w-0 truncate">{name}</bdi>
      <span className="shrink-0 text-xs text-muted">{formatBytes(size)}</span>
    </button>
  )
}

// The dialog would be a tenth of the code that a conversation loads, and most messages have no picture.
const LargePicture = lazyPart(() => import('./large-picture.tsx').then((file) => file.LargePicture))

type Size = { width: number; height: number }

const WIDEST_PX = 320
const HIGHEST_PX = 280

/** A picture in a message. Its space is reserved from the start, so that nothing moves when it has loaded; a click shows it large. A preview
 * that cannot be fetched leaves the picture a file to download. */
function Picture({ attachment, size }: { attachment: Attachment; size: Size }) {
  const large = useLazyDialog(LargePicture)
  const { pending, ...opener } = large.opener
  const { loaded, failed, show, watch } = usePreview(attachment.id)
  if (failed) return <FileLine attachment={attachment} />
  const scale = Math.min(1, WIDEST_PX / size.width, HIGHEST_PX / size.height)
  const shape = {
    aspectRatio: `${size.width} / ${size.height}`,
    width: `${Math.max(24, Math.round(size.width * scale))}px`,
  }
  return (
    <>
      <button
        ref={watch}
        type="button"
        aria-label={m.files_picture_open({ name: attachment.name })}
        title={attachment.name}
        aria-busy={pending}
        {...opener}
        className="block max-w-full min-h-6 cursor-pointer overflow-hidden rounded-md border border-line bg-hover"
        style={shape}
      >
        {loaded ? <img ref={show} alt="" className="size-full object-cover" /> : null}
      </button>
      {large.open ? <LargePicture {...large.dialog} attachment={attachment} size={size} /> : null}
    </>
  )
}
