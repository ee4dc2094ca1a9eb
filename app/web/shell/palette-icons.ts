import ListChecks from 'lucide-react/icons/list-checks'
import FileText from 'lucide-react/icons/file-text'
import ChartColumn from 'lucide-react/icons/chart-column'
import Inbox from 'lucide-react/icons/inbox'
import Keyboard from 'lucide-react/icons/keyboard'
import Languages from 'lucide-react/icons/languages'
import LifeBuoy from 'lucide-react/icons/life-buoy'
import LogOut from 'lucide-react/icons/log-out'
import Megaphone from 'lucide-react/icons/megaphone'
import MessageSquare from 'lucide-react/icons/message-square'
import Moon from 'lucide-react/icons/moon'
import Plus from 'lucide-react/icons/plus'
import Server from 'lucide-react/icons/server'
import ShoppingBag from 'lucide-react/icons/shopping-bag'
import Shield from 'lucide-react/icons/shield'
import Sun from 'lucide-react/icons/sun'
import User from 'lucide-react/icons/user'
import Users from 'lucide-react/icons/users'
import Wallet from 'lucide-react/icons/wallet'
import type { ComponentType } from 'react'

export type IconName =
  | 'account'
  | 'add'
  | 'announcements'
  | 'approvals'
  | 'catalogue'
  | 'customers'
  | 'dark'
  | 'desk'
  | 'invoice'
  | 'keys'
  | 'language'
  | 'light'
  | 'logout'
  | 'money'
  | 'security'
  | 'reports'
  | 'server'
  | 'support'
  | 'ticket'

export type Icon = ComponentType<{ size: number; 'aria-hidden': 'true'; className?: string }>

/** The icons by name. Entries name their icon, because the list of recent pages is stored as text; a page of staff brings its own. */
export const icons: Readonly<Record<IconName, Icon>> = {
  account: User,
  add: Plus,
  announcements: Megaphone,
  approvals: ListChecks,
  catalogue: ShoppingBag,
  customers: Users,
  dark: Moon,
  desk: Inbox,
  invoice: FileText,
  keys: Keyboard,
  language: Languages,
  light: Sun,
  logout: LogOut,
  money: Wallet,
  security: Shield,
  reports: ChartColumn,
  server: Server,
  support: LifeBuoy,
  ticket: MessageSquare,
}
