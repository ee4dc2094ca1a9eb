import { useEffect } from 'react'
import type { PickedFiles } from '#features/support/tickets/contract.ts'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { m } from '#texts/messages.js'
import { FileList, FilePicker, limitText } from './file-list.tsx'
import { pastedFiles, useFileDrop, useFiles } from './use-files.ts'

/** The file picker of a new ticket: files are uploaded while the rest of the form is written. */
export function TicketFiles({ onPick }: { onPick: (picked: PickedFiles) => void }) {
  // The uploaded files are kept with the ticket's draft, nearly as long as the server keeps them.
  const going = useFiles('new-ticket')
  const { files } = going
  const hovering = useFileDrop(files.add)
  useEffect(() => {
    onPick({
      ids: async () => (await files.settled())?.map(({ id }) => id),
      forget: () => void files.take(),
    })
    const paste = ({ clipboardData }: ClipboardEvent) => {
      if (clipboardData) files.add(pastedFiles(clipboardData) ?? null)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [files, onPick])
  return (
    <div
      className={classNames(
        'flex flex-col gap-2 rounded-md border border-dashed p-3',
        hovering ? 'border-accent bg-accent-soft' : 'border-line',
      )}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <FilePicker files={files} inWords />
        <span className="text-xs text-muted">
          {hovering ? <span>{`${m.files_drop()} `}</span> : null}
          <span>{limitText()}</span>
        </span>
      </div>
      <FileList {...going} />
    </div>
  )
}
