import { olivia } from '#app/seed/people.ts'
import type { Visitor } from './visitor.ts'

type Sides = {
  customer: Visitor
  staff: Visitor
  /** Returns the path of the link in the newest mail to the address. */
  link(email: string): Promise<string>
  /** The path of a file to send. */
  file: string
}

/** The main journey: an account, money, a server, a ticket with a file, a chat with staff, the profile. */
export async function journey({ customer, staff, link, file }: Sides, say: (step: string) => void) {
  const mark = Date.now().toString(36)
  const email = `browsers-${mark}@example.com`
  const password = 'correct horse 9 battery'

  say('signs up')
  await customer.opens('/account/')
  await customer.presses('Create account')
  await customer.fills('Email', email)
  await customer.fills('Password', password)
  await customer.fills('Repeat password', password)
  await customer.presses('Create account')
  await customer.sees('Check your email')
  say('confirms the address by mail')
  await customer.opens(await link(email))
  await customer.presses('Confirm email address')
  await customer.fills('Password', password)
  await customer.presses('Sign in')
  await customer.sees('Servers')

  say('tops up')
  await customer.opens('/account/finances')
  await customer.presses('Top up')
  await customer.fills('Amount', '50')
  await customer.presses('Continue to payment')
  await customer.presses('Pay')
  await customer.sees('€50.00')
  say('orders a server')
  await customer.opens('/account/servers/list')
  await customer.presses('New server')
  await customer.fills('Name', 'web-1')
  await customer.fills('IPv4 address', `10.${Math.floor(Math.random() * 256)}.0.7`)
  await customer.presses('Order for…')
  await customer.sees('Active')

  say('opens a ticket with a file')
  await customer.opens('/account/tickets')
  await customer.presses('New ticket')
  await customer.fills('Subject', `Slow ${mark}`)
  await customer.chooses('Topic', 'Technical question')
  await customer.fills('Message', 'It is slow at night.')
  await customer.attaches(file)
  await customer.presses('Create ticket')
  await customer.sees('It is slow at night.')
  say('writes in the chat')
  await customer.fills('Write a message', 'Since Monday.')
  await customer.presses('Send')
  await customer.sees('Since Monday.')

  say('staff answer')
  await staff.opens('/account/')
  await staff.fills('Email', olivia.email)
  await staff.fills('Password', olivia.password)
  await staff.presses('Sign in')
  await staff.sees('Servers')
  await staff.opens('/account/staff-tickets')
  await staff.presses(`Slow ${mark}`)
  await staff.sees('Since Monday.')
  await staff.fills('Write a message', 'We look into it.')
  await staff.presses('Send')
  await staff.sees('We look into it.')
  say('the answer comes to the open page')
  await customer.sees('We look into it.')

  say('changes the profile')
  await customer.opens('/account/settings/account')
  await customer.fills('First name', `Name ${mark}`)
  await customer.presses('Save')
  await customer.sees('Your changes have been saved')
}
