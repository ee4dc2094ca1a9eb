import { todayNews } from '#features/operations/slots.ts'
import { provideSlot, type SlotEntry } from '#foundation/web/slots.tsx'

export const slots: readonly SlotEntry[] = [
  provideSlot(todayNews, () => import('./today-mentions.tsx').then((file) => file.TodayMentions)),
]
