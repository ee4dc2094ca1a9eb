import { useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore } from 'react'
import { isSignedIn, storedSession } from '#foundation/web/api/stored-session.ts'
import { loadErrorTexts } from '#foundation/web/i18n/error-text.ts'
import { FilesToSend } from './files-to-send.ts'

/** The files of a message that is being written, kept with the draft of this name. */
export function useFiles(draft?: string) {
  const files = useMemo(() => filesOf(draft), [draft])
  const { all, left_out } = useSyncExternalStore(files.subscribe, files.shown)
  useEffect(() => {
    void loadErrorTexts()
    window.addEventListener('online', files.retryUnreached)
    return () => {
      window.removeEventListener('online', files.retryUnreached)
      leave(files, draft)
    }
  }, [files, draft])
  const failed = all.some(({ error }) => error !== undefined)
  return { files, all, left_out, failed }
}

/**
 * The files of drafts whose page was left while an upload was running or had failed: the uploads continue, and the
 * files are there on return.
 */
const left = new Map<string, FilesToSend>()

// The key names the account: the next person at this screen does not find the files.
const nameOf = (draft: string) => `${storedSession.user()?.id ?? ''}:${draft}`

const filesOf = (draft?: string): FilesToSend =>
  (draft === undefined ? undefined : left.get(nameOf(draft))) ?? new FilesToSend(draft)

function leave(files: FilesToSend, draft?: string): void {
  if (!isSignedIn()) {
    for (const others of left.values()) others.stop()
    left.clear()
  }
  if (draft === undefined || !isSignedIn()) files.stop()
  else if (files.shown().all.every(({ done }) => done)) left.delete(nameOf(draft))
  else left.set(nameOf(draft), files)
}

/**
 * Accepts files that are dropped anywhere on the page, and returns whether some hover over it. Otherwise the browser
 * would open a dropped file in place of the page.
 */
export function useFileDrop(onDrop: (files: FileList) => void): boolean {
  const [hovering, setHovering] = useState(false)
  const take = useEffectEvent(onDrop)
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setHovering(true)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setHovering(false)
    }
    const drop = (event: DragEvent) => {
      setHovering(false)
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      take(event.dataTransfer.files)
    }
    document.addEventListener('dragover', over)
    document.addEventListener('dragleave', leave)
    document.addEventListener('drop', drop)
    return () => {
      document.removeEventListener('dragover', over)
      document.removeEventListener('dragleave', leave)
      document.removeEventListener('drop', drop)
    }
  }, [])
  return hovering
}

/**
 * Returns the files on the clipboard; undefined if there is text, too, because office programs copy text together with
 * a picture of the text, and the text is meant.
 */
export function pastedFiles({ files, types }: DataTransfer): FileList | undefined {
  return files.length > 0 && !types.includes('text/plain') ? files : undefined
}
