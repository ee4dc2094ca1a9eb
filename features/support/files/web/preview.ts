import { getPreview } from '#features/support/files/contract.ts'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { callText } from '#foundation/web/api/call.ts'
import { CallError, keyOf } from '#foundation/web/api/query.ts'

/** The distance to the visible part of the window, or of a box that scrolls in it, at which a picture is fetched. */
const NEAR = '400px'

/**
 * Fetches a picture's preview once the element given to `watch` comes near the visible part of the page. The call carries the access token,
 * because the address alone grants nothing. The preview is cached as long as the page's other data. `show` goes to the `<img>` as its ref.
 */
export function usePreview(attachmentId: string) {
  const [near, setNear] = useState(false)
  const watch = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: NEAR, scrollMargin: NEAR },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const { data, isError } = useQuery({
    queryKey: keyOf(getPreview, { params: { attachmentId } }),
    queryFn: ({ signal }) => fetchPreview(attachmentId, signal),
    enabled: near,
    staleTime: Infinity,
  })
  return { loaded: data !== undefined, failed: isError, show: useShow(data), watch }
}

async function fetchPreview(attachmentId: string, signal: AbortSignal): Promise<Blob> {
  let picture: Blob | undefined
  const read = async (response: Response) => {
    if (response.status === 200) picture = await response.blob()
    return { status: response.status, body: undefined, errors: [], requestId: undefined }
  }
  const answer = await callText(getPreview, { params: { attachmentId } }, read, { signal })
  if (!picture) throw new CallError(answer)
  return picture
}

/** Shows a blob from memory in an `<img ref>`, under an object URL that is revoked with the image. */
function useShow(picture: Blob | undefined) {
  return useCallback(
    (image: HTMLImageElement | null) => {
      if (!image || !picture) return undefined
      image.src = URL.createObjectURL(picture)
      return () => URL.revokeObjectURL(image.src)
    },
    [picture],
  )
}
