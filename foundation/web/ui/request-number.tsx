import { m } from '#texts/messages.js'

/** The number of a request that failed, by which support finds it in the log. */
export const RequestNumber = ({ id }: { id: string }) => (
  <p className="text-xs">
    {m.ui_request_id()} <code className="font-mono select-all">{id}</code>
  </p>
)
