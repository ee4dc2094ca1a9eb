import { lengths } from '#features/support/tickets/rules.ts'
import Paperclip from 'lucide-react/icons/paperclip'
import RotateCw from 'lucide-react/icons/rotate-cw'
import X from 'lucide-react/icons/x'
import { useRef } from 'react'
import { errorText, type DisplayedError } from '#foundation/web/i18n/error-text.ts'
import { formatBytes } from '#foundation/web/i18n/format.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { IconButton } from '#foundation/web/ui/icon-button.tsx'
import { m } from '#texts/messages.js'
import type { FilesToSend, FileToSend } from './files-to-send.ts'

/** The size limit as pages show it: a round number, a little less than the server accepts. */
const mostText = () => formatBytes(20_000_000)

export const limitText = () => m.files_limit({ count: String(lengths.attachments), size: mostText() })

/** A button that opens the browser's file picker. */
export function FilePicker({ files, inWords = false }: { files: FilesToSend; inWords?: boolean }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={m.files_attach()}
        onChange={(event) => {
          files.add(event.target.files)
          // The field is emptied, so that picking the same file again is a change again.
          event.target.value = ''
        }}
      />
      {inWords ? (
        <Button
          size="small"
          icon={<Paperclip size={15} aria-hidden="true" />}
          onClick={() => input.current?.click()}
        >
          {m.files_attach()}
        </Button>
      ) : (
        <IconButton
          label={m.files_attach()}
          title={`${m.files_attach()} (${limitText()})`}
          icon={<Paperclip size={17} aria-hidden="true" />}
          onClick={() => input.current?.click()}
        />
      )}
    </>
  )
}

type ListProps = { files: FilesToSend; all: readonly FileToSend[]; left_out: number; failed: boolean }

/** The files that will go with the message, each with its progress and its actions. */
export function FileList({ files, all, left_out, failed }: ListProps) {
  return (
    <>
      {all.length > 0 ? (
        <ul aria-label={m.files_title()} className="grid max-h-44 gap-1 overflow-y-auto sm:grid-cols-2">
          {all.map((file) => (
            <FileRow key={file.key} file={file} files={files} />
          ))}
        </ul>
      ) : null}
      <p role="status" className="mt-1 px-1 text-xs text-pretty text-danger-text empty:sr-only">
        {left_out > 0 ? m.files_left_out({ limits: limitText() }) : failed ? m.files_failed() : null}
      </p>
    </>
  )
}

function FileRow({ file, files }: { file: FileToSend; files: FilesToSend }) {
  const { key, name, size, share, done, error } = file
  return (
    <li className="flex min-w-0 items-center gap-1 rounded-md bg-sunken py-1 pr-1 pl-3 text-sm">
      <div className="min-w-0 flex-1">
        <p className="flex gap-2">
          <bdi className="truncate" title={name}>
            {name}
          </bdi>
          <span className="shrink-0 text-muted">{formatBytes(size)}</span>
        </p>
        {error ? (
          <p className="text-xs text-danger-text">{whyNot(error)}</p>
        ) : done ? null : (
          <progress value={share} max={1} aria-label={m.files_progress({ name })} className={bar} />
        )}
      </div>
      {error && !isFinal(error) ? (
        <IconButton
          label={m.files_retry({ name })}
          icon={<RotateCw size={15} aria-hidden="true" />}
          onClick={() => files.retry(key)}
        />
      ) : null}
      <IconButton
        label={done || error ? m.files_remove({ name }) : m.files_cancel({ name })}
        icon={<X size={15} aria-hidden="true" />}
        onClick={() => files.remove(key)}
      />
    </li>
  )
}

const whyNot = (error: DisplayedError): string =>
  error.code === 'too_large' ? m.files_too_large({ size: mostText() }) : errorText(error)

const bar = classNames(
  'mt-1 block h-1 w-full appearance-none overflow-hidden rounded-full bg-line [&::-webkit-progress-bar]:bg-line',
  '[&::-moz-progress-bar]:bg-accent [&::-webkit-progress-value]:rounded-full [&::-webkit-progress-value]:bg-accent',
)

/** True if another try with the same file would fail the same way. */
const isFinal = ({ code }: DisplayedError): boolean => code === 'too_large' || code === 'empty_file'
