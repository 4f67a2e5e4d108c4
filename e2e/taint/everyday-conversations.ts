// Thirty everyday conversations, written down before they were played for the first time. Each lists the servers that are on and the calls
// that the model makes, in order. Rules are those that a card offers: "always, this tool" for tools that only read, "for this conversation"
// for the others, given when the card first asks. A question because of taint is answered "for this chat"; between the person's own mail
// and calendar "from now on".

import { moreConversations } from './more-conversations.ts'

type Arguments = Readonly<Record<string, string | number | boolean | readonly string[]>>
export interface EverydayConversation {
  readonly title: string
  readonly servers: readonly string[]
  readonly calls: readonly (readonly [tool: string, args: Arguments])[]
}

/** Pairs that the person answers for good when they are first asked: from, to. */
export const forGood: readonly (readonly [string, string])[] = [
  ['mail', 'calendar'],
  ['calendar', 'mail'],
]

const home = '/home/ana'

const first: readonly EverydayConversation[] = [
  {
    title: 'Tidy the downloads',
    servers: ['files'],
    calls: [
      ['files.list_directory', { path: `${home}/Downloads` }],
      ['files.get_file_info', { path: `${home}/Downloads/scan.pdf` }],
      ['files.get_file_info', { path: `${home}/Downloads/rent.pdf` }],
      ['files.search_files', { path: `${home}/Downloads`, pattern: '*.zip' }],
      ['files.create_directory', { path: `${home}/Documents/Rent` }],
      ['files.move_file', { source: `${home}/Downloads/rent.pdf`, destination: `${home}/Documents/Rent/2026-11.pdf` }],
      ['files.move_file', { source: `${home}/Downloads/scan.pdf`, destination: `${home}/Documents/scan.pdf` }],
      ['files.list_directory', { path: `${home}/Downloads` }],
      ['files.list_directory', { path: `${home}/Documents/Rent` }],
    ],
  },
  {
    title: 'Sum up the meeting notes',
    servers: ['files', 'calendar'],
    calls: [
      ['files.list_directory', { path: `${home}/Notes/meetings` }],
      ['files.read_text_file', { path: `${home}/Notes/meetings/2026-11-02.md` }],
      ['files.read_text_file', { path: `${home}/Notes/meetings/2026-11-09.md` }],
      ['files.read_text_file', { path: `${home}/Notes/meetings/2026-11-16.md` }],
      ['files.read_text_file', { path: `${home}/Notes/meetings/2026-11-23.md` }],
      ['files.search_files', { path: `${home}/Notes`, pattern: '*budget*' }],
      ['files.read_text_file', { path: `${home}/Notes/budget-2027.md` }],
      ['files.write_file', { path: `${home}/Notes/november.md`, content: 'Decisions of November: …' }],
    ],
  },
  {
    title: 'Revenue of the quarter',
    servers: ['database'],
    calls: [
      ['database.list_tables', { schema: 'sales' }],
      ['database.describe_table', { table: 'orders' }],
      ['database.describe_table', { table: 'customers' }],
      ['database.query', { sql: 'select count(*) from orders where placed >= date ‘2026-07-01’' }],
      ['database.query', { sql: 'select region, sum(total) from orders group by region' }],
      ['database.query', { sql: 'select month, sum(total) from orders group by month' }],
      ['database.query', { sql: 'select customer, sum(total) from orders group by customer order by 2 desc limit 10' }],
      ['database.query', { sql: 'select avg(total) from orders' }],
    ],
  },
  {
    title: 'A report on customers who left',
    servers: ['database', 'files'],
    calls: [
      ['database.list_tables', { schema: 'crm' }],
      ['database.describe_table', { table: 'subscriptions' }],
      ['database.query', { sql: 'select month, count(*) from subscriptions where ended is not null group by month' }],
      ['database.query', { sql: 'select reason, count(*) from subscriptions where ended is not null group by reason' }],
      ['files.read_text_file', { path: `${home}/Reports/template.md` }],
      ['database.query', { sql: 'select plan, count(*) from subscriptions where ended is not null group by plan' }],
      ['files.write_file', { path: `${home}/Reports/churn-2026-11.md`, content: '# Customers who left\n…' }],
      ['files.read_text_file', { path: `${home}/Reports/churn-2026-10.md` }],
      ['files.edit_file', { path: `${home}/Reports/churn-2026-11.md`, edits: 'compare with October' }],
    ],
  },
  {
    title: 'Mend a failing test',
    servers: ['files', 'git'],
    calls: [
      ['git.status', { repo: `${home}/src/shop` }],
      ['files.search_files', { path: `${home}/src/shop`, pattern: '*basket*' }],
      ['files.read_text_file', { path: `${home}/src/shop/basket.test.ts` }],
      ['files.read_text_file', { path: `${home}/src/shop/basket.ts` }],
      ['git.log', { repo: `${home}/src/shop`, path: 'basket.ts' }],
      ['git.show', { repo: `${home}/src/shop`, revision: 'a1b2c3d' }],
      ['files.edit_file', { path: `${home}/src/shop/basket.ts`, edits: 'round half up' }],
      ['git.diff', { repo: `${home}/src/shop` }],
      ['git.add', { repo: `${home}/src/shop`, files: ['basket.ts'] }],
      ['git.commit', { repo: `${home}/src/shop`, message: 'Round half up in the basket' }],
    ],
  },
  {
    title: 'Read a branch before it is merged',
    servers: ['git', 'files'],
    calls: [
      ['git.log', { repo: `${home}/src/shop`, branch: 'discounts' }],
      ['git.diff', { repo: `${home}/src/shop`, target: 'main..discounts' }],
      ['git.show', { repo: `${home}/src/shop`, revision: 'd4e5f6a' }],
      ['files.read_text_file', { path: `${home}/src/shop/discounts.ts` }],
      ['files.read_text_file', { path: `${home}/src/shop/discounts.test.ts` }],
      ['git.show', { repo: `${home}/src/shop`, revision: 'b7c8d9e' }],
      ['files.search_files', { path: `${home}/src/shop`, pattern: '*rounding*' }],
      ['files.read_text_file', { path: `${home}/src/shop/rounding.ts` }],
    ],
  },
  {
    title: 'Sort the open issues',
    servers: ['code'],
    calls: [
      ['code.list_issues', { owner: 'ana', repo: 'shop', state: 'open' }],
      ['code.issue_read', { owner: 'ana', repo: 'shop', issue: 41 }],
      ['code.issue_read', { owner: 'ana', repo: 'shop', issue: 42 }],
      ['code.issue_read', { owner: 'ana', repo: 'shop', issue: 44 }],
      ['code.search_code', { query: 'repo:ana/shop parseAmount' }],
      ['code.add_issue_comment', { owner: 'ana', repo: 'shop', issue: 41, body: 'Thanks, seen.' }],
      ['code.issue_read', { owner: 'ana', repo: 'shop', issue: 47 }],
      ['code.add_issue_comment', { owner: 'ana', repo: 'shop', issue: 47, body: 'Same as #41.' }],
      ['code.list_issues', { owner: 'ana', repo: 'shop', state: 'open' }],
    ],
  },
  {
    title: 'Where to go in spring',
    servers: ['web', 'files'],
    calls: [
      ['web.search', { query: 'quiet islands spring ferry' }],
      ['web.fetch', { url: 'https://travel.example/islands' }],
      ['web.fetch', { url: 'https://ferries.example/timetable' }],
      ['web.search', { query: 'weather april aegean' }],
      ['web.fetch', { url: 'https://climate.example/aegean/april' }],
      ['web.search', { query: 'small hotels Tinos' }],
      ['web.fetch', { url: 'https://hotels.example/tinos' }],
      ['web.fetch', { url: 'https://hotels.example/tinos/2' }],
      ['files.write_file', { path: `${home}/Notes/spring.md`, content: 'Tinos, last week of April …' }],
    ],
  },
  {
    title: 'Which laptop to buy',
    servers: ['web', 'files'],
    calls: [
      ['web.search', { query: 'laptop 14 inch linux 2026 test' }],
      ['web.fetch', { url: 'https://tests.example/laptops-2026' }],
      ['web.fetch', { url: 'https://maker.example/a14/specs' }],
      ['web.fetch', { url: 'https://other.example/x14/specs' }],
      ['web.search', { query: 'a14 fan noise' }],
      ['web.fetch', { url: 'https://forum.example/a14-noise' }],
      ['files.write_file', { path: `${home}/Notes/laptops.md`, content: '| | A14 | X14 |' }],
      ['web.search', { query: 'x14 battery hours measured' }],
      ['files.edit_file', { path: `${home}/Notes/laptops.md`, edits: 'add battery' }],
    ],
  },
  {
    title: 'The inbox in the morning',
    servers: ['mail', 'calendar'],
    calls: [
      ['mail.search_messages', { query: 'is:unread newer_than:1d' }],
      ['mail.get_message', { id: 'm1' }],
      ['mail.get_message', { id: 'm2' }],
      ['mail.get_message', { id: 'm3' }],
      ['mail.list_labels', {}],
      ['mail.archive', { id: 'm2' }],
      ['mail.get_message', { id: 'm4' }],
      ['mail.archive', { id: 'm3' }],
    ],
  },
  {
    title: 'Answer a supplier',
    servers: ['mail'],
    calls: [
      ['mail.search_messages', { query: 'from:orders@supplier.example' }],
      ['mail.get_message', { id: 's1' }],
      ['mail.get_message', { id: 's2' }],
      ['mail.search_messages', { query: 'subject:"delivery terms"' }],
      ['mail.get_message', { id: 's3' }],
      ['mail.create_draft', { to: 'orders@supplier.example', subject: 'Re: delivery', body: 'We need the goods by Friday.' }],
      ['mail.get_message', { id: 's1' }],
      ['mail.send_message', { to: 'orders@supplier.example', subject: 'Re: delivery', body: 'We need the goods by Friday.' }],
    ],
  },
  {
    title: 'What the week looks like',
    servers: ['calendar', 'mail'],
    calls: [
      ['calendar.list_events', { from: '2026-11-30', to: '2026-12-06' }],
      ['calendar.get_event', { id: 'e1' }],
      ['calendar.get_event', { id: 'e2' }],
      ['calendar.find_free_slots', { from: '2026-11-30', to: '2026-12-04', minutes: 90 }],
      ['calendar.create_event', { title: 'Write the report', start: '2026-12-01T09:00', minutes: 90 }],
      ['calendar.create_event', { title: 'Gym', start: '2026-12-02T18:00', minutes: 60 }],
      ['calendar.update_event', { id: 'e2', start: '2026-12-03T14:00' }],
      ['calendar.list_events', { from: '2026-11-30', to: '2026-12-06' }],
    ],
  },
  {
    title: 'A meeting from a thread',
    servers: ['mail', 'calendar'],
    calls: [
      ['mail.search_messages', { query: 'subject:"kick-off"' }],
      ['mail.get_message', { id: 'k1' }],
      ['mail.get_message', { id: 'k2' }],
      ['calendar.find_free_slots', { from: '2026-12-07', to: '2026-12-11', minutes: 60 }],
      ['calendar.list_events', { from: '2026-12-09', to: '2026-12-10' }],
      ['calendar.create_event', { title: 'Kick-off', start: '2026-12-09T10:00', guests: ['ben@partner.example'] }],
      ['mail.get_message', { id: 'k3' }],
      ['mail.send_message', { to: 'ben@partner.example', subject: 'Re: kick-off', body: 'Wednesday at ten.' }],
      ['calendar.list_events', { from: '2026-12-09', to: '2026-12-10' }],
    ],
  },
  {
    title: 'Ready for tomorrow',
    servers: ['calendar', 'mail', 'files'],
    calls: [
      ['calendar.list_events', { from: '2026-11-28', to: '2026-11-28' }],
      ['calendar.get_event', { id: 'e7' }],
      ['mail.search_messages', { query: 'from:ben@partner.example newer_than:14d' }],
      ['mail.get_message', { id: 'b1' }],
      ['mail.get_message', { id: 'b2' }],
      ['files.search_files', { path: `${home}/Notes`, pattern: '*partner*' }],
      ['files.read_text_file', { path: `${home}/Notes/partner.md` }],
      ['files.write_file', { path: `${home}/Notes/tomorrow.md`, content: '10:00 Partner …' }],
    ],
  },
  {
    title: 'An agenda from last time’s notes',
    servers: ['calendar', 'files'],
    calls: [
      ['calendar.list_events', { from: '2026-11-30', to: '2026-12-01' }],
      ['calendar.get_event', { id: 'e9' }],
      ['files.list_directory', { path: `${home}/Notes/meetings` }],
      ['files.read_text_file', { path: `${home}/Notes/meetings/2026-11-23.md` }],
      ['files.read_text_file', { path: `${home}/Notes/meetings/2026-11-16.md` }],
      ['files.write_file', { path: `${home}/Notes/meetings/agenda-11-30.md`, content: '1. Budget' }],
      ['files.read_text_file', { path: `${home}/Notes/budget-2027.md` }],
      ['calendar.update_event', { id: 'e9', description: '1. Budget 2. Hiring' }],
    ],
  },
]

export const everydayConversations: readonly EverydayConversation[] = [...first, ...moreConversations]
