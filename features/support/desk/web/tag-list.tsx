import TagIcon from 'lucide-react/icons/tag'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { m } from '#texts/messages.js'

/** The tags of a ticket, each a word with its sign. */
export const TagList = ({ tags }: { tags: readonly string[] }) => (
  <ul aria-label={m.desk_tags()} className="contents">
    {tags.map((tag) => (
      <li key={tag} className="flex max-w-full min-w-0">
        <Badge>
          <TagIcon size={12} aria-hidden="true" className="shrink-0" />
          <bdi className="truncate">{tag}</bdi>
        </Badge>
      </li>
    ))}
  </ul>
)
